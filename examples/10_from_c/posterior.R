# The posterior of a burglary, for two findings. The argument is examples/06_interchange/burglary.bif.
# pkg-config must find mpf_c.
words <- commandArgs(trailingOnly = FALSE)
here <- dirname(sub("^--file=", "", grep("^--file=", words, value = TRUE)))
built <- file.path(tempdir(), "posterior_r.so")
pkg <- function(what) system2("pkg-config", c(what, "mpf_c"), stdout = TRUE)
Sys.setenv(PKG_CFLAGS = pkg("--cflags"), PKG_LIBS = pkg("--libs"))
source <- file.path(tempdir(), "posterior_r.c")
invisible(file.copy(file.path(here, "posterior_r.c"), source, overwrite = TRUE))
status <- system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "-o", built, source), stdout = FALSE)
stopifnot(status == 0)
dyn.load(built)
posterior <- function(file, variable, given = character()) .Call("mpf_posterior", file, variable, given)

model <- commandArgs(trailingOnly = TRUE)[1]
print(round(posterior(model, "burglary", c(john = "calls", mary = "calls")), 4))
print(tryCatch(posterior(model, "burglary", c(john = "shouts")), error = conditionMessage))
