// The module _mpf: plain calls of the C++ library. The package mpf around it is for people.
#include "runtime/python/native/answers.h"
#include "runtime/python/native/arrow.h"
#include "runtime/python/native/block.h"
#include "runtime/python/native/device_arrays.h"
#include "runtime/python/native/errors.h"
#include "runtime/python/native/networks.h"
#include "runtime/python/native/programs.h"
#include "runtime/python/native/questions.h"
#include "runtime/python/native/readers.h"
#include "runtime/python/native/runs.h"
#include "runtime/python/native/sessions.h"
#include "runtime/python/native/without_gil.h"

NB_MODULE(_mpf, module) {
  module.def("end_process", &mpf::python::endProcess);
  mpf::python::translateErrors();
  mpf::python::defineAnswers(module);
  mpf::python::defineArrow(module);
  mpf::python::defineDeviceArrays(module);
  mpf::python::defineNetworks(module);
  mpf::python::definePrograms(module);
  mpf::python::defineBlocks(module);
  mpf::python::defineQuestions(module);
  mpf::python::defineReaders(module);
  mpf::python::defineRuns(module);
  mpf::python::defineSessions(module);
}
