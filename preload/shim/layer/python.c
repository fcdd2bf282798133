/* SPDX-License-Identifier: MIT */
/*
 * The ways into Python, which change no path and no environment variable of the program's.
 *
 * `import pwrtrace` finds a built-in module, which the table of those has from before the
 * interpreter starts, so in virtual environments and under -I, -E and -S too; it becomes the
 * package that the program finds on its own path, or else the one beside libpwrtrace.so
 * (builtin.py).
 *
 * Nothing at all is run in programs that import neither that nor PyTorch.  An interpreter finds the
 * entry point of an extension module by dlsym, which is ours.  When it looks for that of torch._C
 * we run patches.py and the file of each source of layers that is wanted, each in a namespace of
 * its own, with our functions in it. They are builtins made by Python's stable ABI, whose functions
 * are found in the interpreter at run time: a call takes a fourth of what one by ctypes does.  The
 * call of a module, too, is such a builtin: one in Python takes three times as long.
 */
#include "preload/shim/layer/python.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/common/log.h"
#include "preload/shim/base/real_dlsym.h"
#include "preload/shim/layer/stack.h"
#include "preload/shim/layer/torch.h"

typedef struct python_object PyObject;
typedef PyObject *python_function(PyObject *self, PyObject *argument);

/* PyMethodDef */
struct python_method {
	const char *name;
	python_function *function;
	int flags;
	const char *doc;
};

/* PyModuleDef and its slots.  An interpreter without a global lock has a larger head. */
struct python_module {
	ssize_t references;
	void *head[4];
	const char *name;
	const char *doc;
	ssize_t size;
	struct python_method *methods;
	const struct python_slot {
		int id;
		void *value;
	} * slots;
	void *life[3];
};

enum { METH_VARARGS = 1, METH_KEYWORDS = 2, METH_NOARGS = 4, METH_O = 8, METH_FASTCALL = 128 };
enum { PY_MOD_EXEC = 2 };
enum { FILE_INPUT = 257 };

#define STABLE_ABI(FUNCTION)                                                                       \
	FUNCTION(void, Py_IncRef, (PyObject *))                                                    \
	FUNCTION(void, Py_DecRef, (PyObject *))                                                    \
	FUNCTION(PyObject *, Py_CompileString, (const char *, const char *, int))                  \
	FUNCTION(PyObject *, PyEval_EvalCode, (PyObject *, PyObject *, PyObject *))                \
	FUNCTION(PyObject *, PyEval_GetBuiltins, (void))                                           \
	FUNCTION(PyObject *, PyDict_New, (void))                                                   \
	FUNCTION(int, PyDict_SetItemString, (PyObject *, const char *, PyObject *))                \
	FUNCTION(PyObject *, PyCFunction_NewEx, (struct python_method *, PyObject *, PyObject *))  \
	FUNCTION(PyObject *, PyDescr_NewMethod, (PyObject *, struct python_method *))              \
	FUNCTION(PyObject *, PyModule_GetDict, (PyObject *))                                       \
	FUNCTION(PyObject *, PyImport_GetModuleDict, (void))                                       \
	FUNCTION(PyObject *, PyDict_GetItemString, (PyObject *, const char *))                     \
	FUNCTION(PyObject *, PyTuple_GetItem, (PyObject *, ssize_t))                               \
	FUNCTION(ssize_t, PyTuple_Size, (PyObject *))                                              \
	FUNCTION(PyObject *, PyUnicode_FromString, (const char *))                                 \
	FUNCTION(PyObject *, PyLong_FromUnsignedLong, (unsigned long))                             \
	FUNCTION(unsigned long, PyLong_AsUnsignedLong, (PyObject *))                               \
	FUNCTION(double, PyFloat_AsDouble, (PyObject *))                                           \
	FUNCTION(char *, PyBytes_AsString, (PyObject *))                                           \
	FUNCTION(void, PyErr_Clear, (void))

#define FUNCTION(ret, name, params) static ret(*name) params;
STABLE_ABI(FUNCTION)
#undef FUNCTION
static PyObject *(*PyObject_Vectorcall)(PyObject *, PyObject *const *, size_t, PyObject *);
static PyObject *none;

/* Returns what the interpreter lacks, or NULL. */
static const char *find_functions(void)
{
#define FUNCTION(ret, name, params)                                                                \
	name = (ret(*) params)real_dlsym(RTLD_DEFAULT, #name);                                     \
	if (!name)                                                                                 \
		return #name;
	STABLE_ABI(FUNCTION)
#undef FUNCTION
	/* Python 3.8 has it only inline; what is called are functions. */
	PyObject_Vectorcall = real_dlsym(RTLD_DEFAULT, "PyObject_Vectorcall")
				      ?: real_dlsym(RTLD_DEFAULT, "_PyFunction_Vectorcall");
	none = real_dlsym(RTLD_DEFAULT, "_Py_NoneStruct");
	return !PyObject_Vectorcall ? "PyObject_Vectorcall" : none ? NULL : "None";
}

/* ---- the call of a module ---- */

/* PyTorch's own, and what is called where the module's layer is not known: functions of Python's.
 */
static PyObject *known_call, *other_call;

/* Arguments by position, and then by keyword, as many as there are names. */
static PyObject *call_module(
	PyObject *module, PyObject *const *arguments, ssize_t count, PyObject *names)
{
	ssize_t others = count + (names ? PyTuple_Size(names) : 0);
	bool known = torch_enter_module(module);
	PyObject *all[others + 1], *result;

	all[0] = module;
	memcpy(all + 1, arguments, (size_t)others * sizeof(*all));
	result =
		PyObject_Vectorcall(known ? known_call : other_call, all, (size_t)count + 1, names);
	if (known)
		torch_leave();
	return result;
}

/* As a method of a class it is found there, put aside and put back like a function. */
static PyObject *py_module_call(PyObject *self, PyObject *arguments)
{
	static struct python_method method = {"__call__", (python_function *)(void *)call_module,
		METH_FASTCALL | METH_KEYWORDS, NULL};

	(void)self;
	known_call = PyTuple_GetItem(arguments, 1);
	other_call = PyTuple_GetItem(arguments, 2);
	Py_IncRef(known_call);
	Py_IncRef(other_call);
	return PyDescr_NewMethod(PyTuple_GetItem(arguments, 0), &method);
}

/* ---- what these files call ---- */

static PyObject *nothing(void)
{
	Py_IncRef(none);
	return none;
}

static PyObject *py_inside(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	return PyLong_FromUnsignedLong(torch_inside());
}

static PyObject *py_enter_named(PyObject *self, PyObject *arguments)
{
	(void)self;
	return PyLong_FromUnsignedLong(torch_enter_named(
		PyTuple_GetItem(arguments, 0), PyBytes_AsString(PyTuple_GetItem(arguments, 1))));
}

static PyObject *py_forget_modules(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	torch_forget_modules();
	return nothing();
}

static PyObject *py_begin(PyObject *self, PyObject *name)
{
	(void)self;
	torch_enter(PyBytes_AsString(name));
	return nothing();
}

static PyObject *py_leave(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	torch_leave();
	return nothing();
}

static PyObject *py_begin_backward(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	torch_begin_backward();
	return nothing();
}

static PyObject *py_check_backward(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	torch_check_backward();
	return nothing();
}

static PyObject *py_end_backward(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	torch_end_backward();
	return nothing();
}

static PyObject *py_mark(PyObject *self, PyObject *arguments)
{
	double value = PyFloat_AsDouble(PyTuple_GetItem(arguments, 1));

	(void)self;
	layer_mark(PyBytes_AsString(PyTuple_GetItem(arguments, 0)), value,
		PyBytes_AsString(PyTuple_GetItem(arguments, 2)), false);
	return nothing();
}

static PyObject *py_say(PyObject *self, PyObject *text)
{
	(void)self;
	log_notice("%s", PyBytes_AsString(text));
	return nothing();
}

static struct python_method methods[] = {
	{"inside", py_inside, METH_NOARGS, NULL},
	{"module_call", py_module_call, METH_VARARGS, NULL},
	{"enter_named", py_enter_named, METH_VARARGS, NULL},
	{"forget_modules", py_forget_modules, METH_NOARGS, NULL},
	{"begin", py_begin, METH_O, NULL},
	{"leave", py_leave, METH_NOARGS, NULL},
	{"begin_backward", py_begin_backward, METH_NOARGS, NULL},
	{"check_backward", py_check_backward, METH_NOARGS, NULL},
	{"end_backward", py_end_backward, METH_NOARGS, NULL},
	{"mark", py_mark, METH_VARARGS, NULL},
	{"say", py_say, METH_O, NULL},
};

/* ---- running them ---- */

static const struct script {
	enum layer_source source;
	const char *name;  /* of the file, without ".py" */
	const char *fails; /* what it means that it cannot run */
} scripts[] = {
	{LAYER_torch, "torch_layers", "the modules of PyTorch make no layers"},
	{LAYER_transformers, "transformers_requests", "requests to transformers make no marks"},
};

/* Beside libpwrtrace.so: pwrtrace/python/. */
static bool find_file(const char *name, char path[PATH_MAX])
{
	Dl_info self;
	const char *slash;

	if (!dladdr((void *)find_file, &self) || !(slash = strrchr(self.dli_fname, '/')))
		return false;
	return snprintf(path, PATH_MAX, "%.*s/pwrtrace/python/pwrtrace/%s.py",
		       (int)(slash - self.dli_fname), self.dli_fname, name) < PATH_MAX;
}

/* Returns the file's text, to be freed, or NULL. */
static char *read_text(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	struct stat status;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0 && (text = calloc(1, (size_t)status.st_size + 1)) &&
		read(fd, text, (size_t)status.st_size) != status.st_size) {
		free(text);
		text = NULL;
	}
	close(fd);
	return text;
}

static void set_item(PyObject *dict, const char *name, PyObject *value)
{
	if (value) {
		PyDict_SetItemString(dict, name, value);
		Py_DecRef(value);
	}
}

/* A namespace with our functions; the caller lets go of it. */
static PyObject *new_namespace(const char *name)
{
	PyObject *globals = PyDict_New();
	char module[64];

	snprintf(module, sizeof(module), "pwrtrace.%s", name);
	set_item(globals, "__name__", PyUnicode_FromString(module));
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
		set_item(globals, methods[i].name, PyCFunction_NewEx(&methods[i], NULL, NULL));
	return globals;
}

/* Runs a file in a namespace.  Returns false, with the file's exception if it has raised one. */
static bool run_file(const char *name, PyObject *globals)
{
	PyObject *code, *result = NULL;
	char path[PATH_MAX] = "";
	char *text = find_file(name, path) ? read_text(path) : NULL;

	if (!text)
		return false;
	PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
	set_item(globals, "__file__", PyUnicode_FromString(path));
	code = Py_CompileString(text, path, FILE_INPUT);
	if (code) {
		result = PyEval_EvalCode(code, globals, globals);
		Py_DecRef(code);
	}
	if (result)
		Py_DecRef(result);
	free(text);
	return result != NULL;
}

/* The same, saying what it means that it could not. */
static bool run_or_say(const char *name, PyObject *globals, const char *fails)
{
	char path[PATH_MAX] = "";

	if (run_file(name, globals))
		return true;
	PyErr_Clear();
	find_file(name, path);
	log_error("%s: %s %s", fails, path, access(path, R_OK) == 0 ? "failed" : "is not there");
	return false;
}

static void run(const struct script *script, const char *lacking)
{
	PyObject *globals;

	if (lacking) {
		log_error("%s: this Python lacks %s", script->fails, lacking);
		return;
	}
	globals = new_namespace(script->name);
	if (run_or_say("patches", globals, script->fails))
		run_or_say(script->name, globals, script->fails);
	Py_DecRef(globals);
}

bool python_wanted(void)
{
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		if (layer_wanted[scripts[i].source])
			return true;
	return false;
}

void python_imports(void *module, const char *entry_point)
{
	static bool done;
	int saved_errno = errno;
	const char *lacking;

	if (done || strcmp(entry_point, "PyInit__C") != 0)
		return;
	lacking = find_functions();
	if (!lacking && !PyDict_GetItemString(PyImport_GetModuleDict(), "torch"))
		return;
	done = true;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(*scripts); i++)
		if (layer_wanted[scripts[i].source])
			run(&scripts[i], lacking);
	if (layer_wanted[LAYER_torch])
		torch_find_backward(module);
	errno = saved_errno;
}

/* ---- import pwrtrace ---- */

/* Not there in other programs, PyModuleDef_Init not before Python 3.5. */
#define WEAK __attribute__((weak))
WEAK const char *Py_GetVersion(void);
WEAK int PyImport_AppendInittab(const char *name, PyObject *(*init)(void));
WEAK PyObject *PyModuleDef_Init(struct python_module *definition);

static int run_builtin(PyObject *module)
{
	return !find_functions() && run_file("builtin", PyModule_GetDict(module)) ? 0 : -1;
}

static PyObject *init_builtin(void)
{
	static const struct python_slot slots[] = {{PY_MOD_EXEC, (void *)run_builtin}, {0, NULL}};
	static struct python_module definition = {
		.references = 1, .name = "pwrtrace", .slots = slots};

	return PyModuleDef_Init(&definition);
}

void python_offer_module(void)
{
	char path[PATH_MAX];

	if (PyImport_AppendInittab && PyModuleDef_Init && Py_GetVersion &&
		!strstr(Py_GetVersion(), "free-threading") && find_file("builtin", path) &&
		access(path, R_OK) == 0)
		PyImport_AppendInittab("pwrtrace", init_builtin);
}
