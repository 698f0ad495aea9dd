autocmd BufNewFile,BufRead *.mpf setfiletype mpf
