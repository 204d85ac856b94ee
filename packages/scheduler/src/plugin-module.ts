import type { SchedulerPlugin } from './plugin.ts';

/** A module that is no scheduler plugin. */
export class PluginModuleError extends Error {
  override readonly name = 'PluginModuleError';
}

/**
 * The plugins of a module: `filters` and `scores` are objects of functions by name. A filter and a score of the same name are one plugin.
 * Throws a PluginModuleError.
 */
export function pluginsOf(exports: Readonly<Record<string, unknown>>): SchedulerPlugin[] {
  const filters = functionsIn(exports, 'filters') as Map<string, NonNullable<SchedulerPlugin['filter']>>;
  const scores = functionsIn(exports, 'scores') as Map<string, NonNullable<SchedulerPlugin['score']>>;
  const names = new Set([...filters.keys(), ...scores.keys()]);
  if (names.size === 0) throw new PluginModuleError('it must export filters or scores: objects of functions by name');
  return [...names].map((name) => {
    const filter = filters.get(name);
    const score = scores.get(name);
    return { name, ...(filter && { filter }), ...(score && { score }) };
  });
}

function functionsIn(exports: Readonly<Record<string, unknown>>, key: string): Map<string, unknown> {
  const given = exports[key];
  if (given === undefined) return new Map();
  if (typeof given !== 'object' || given === null) throw new PluginModuleError(`${key} must be an object of functions`);
  const functions = new Map(Object.entries(given));
  for (const [name, value] of functions) {
    if (!/^[\w.-]{1,63}$/.test(name))
      throw new PluginModuleError(`${key} has the name ${name}, not one of letters, digits, dashes and dots`);
    if (typeof value !== 'function') throw new PluginModuleError(`${key}.${name} must be a function`);
  }
  return functions;
}
