import { PluginModuleError, pluginsOf, type SchedulerPlugin } from '@flotilla/scheduler';
import { importModule } from '../import-module.ts';
import { UserError } from '../user-error.ts';

/** The plugins of all modules, in the order in which they are named. A name may come only once: evidence is found by it. */
export async function loadSchedulerPlugins(modules: readonly string[]): Promise<SchedulerPlugin[]> {
  const plugins: SchedulerPlugin[] = [];
  for (const name of modules) {
    const exported = await importModule(name, 'scheduler plugin');
    for (const plugin of pluginsIn(name, exported)) {
      const isTaken = plugins.some((other) => other.name === plugin.name);
      if (isTaken) throw new UserError(`${name}: there is already a scheduler plugin ${plugin.name}.`);
      plugins.push(plugin);
    }
  }
  return plugins;
}

function pluginsIn(name: string, exported: Readonly<Record<string, unknown>>): SchedulerPlugin[] {
  try {
    return pluginsOf(exported);
  } catch (error) {
    if (!(error instanceof PluginModuleError)) throw error;
    throw new UserError(`${name} is not a scheduler plugin: ${error.message}.`, { cause: error });
  }
}
