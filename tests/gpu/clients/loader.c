/* SPDX-License-Identifier: MIT */
/*
 * Opens the plug-in made from driver.c so that its calls of the driver cannot be interposed, and
 * runs it:
 *
 *	loader deepbind|dlmopen PLUGIN [ARGUMENT...]
 */
#include <dlfcn.h>

#include "client.h"

int main(int argc, char **argv)
{
	int (*plugin_main)(int, char **);
	void *plugin;

	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "dlmopen") == 0)
		plugin = dlmopen(LM_ID_NEWLM, argv[2], RTLD_NOW);
	else
		plugin = dlopen(argv[2], RTLD_NOW | RTLD_DEEPBIND);
	if (!plugin)
		client_skip(dlerror());
	plugin_main = (int (*)(int, char **))dlsym(plugin, "main");
	if (!plugin_main)
		return 1;
	return plugin_main(argc - 2, argv + 2);
}
