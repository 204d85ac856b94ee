import { readFileSync } from 'node:fs';
import { command } from './measured-server.ts';

/** Options of a process. */
export interface ProcessOptions {
  readonly execArgv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** How the launcher starts the process of `flotilla up`: with these options of V8 and malloc. */
export function fleetProcessOptions(launcher = readFileSync(command, 'utf8')): ProcessOptions {
  const [, memory = ''] = /"\$1" = up \]; then\n\s*memory='([^']+)'/.exec(launcher) ?? [];
  const [, ours = ''] = /^\s*ours=(--\S+)$/m.exec(launcher) ?? [];
  const malloc = [...launcher.matchAll(/(MALLOC_\w+)="\$\{\w+-(\d+)\}"/g)].map(([, name = '', value]) => [name, value]);
  if (memory === '' || ours === '' || malloc.length === 0) throw new Error(`${command} has no options for up`);
  return { execArgv: [...memory.split(' '), ours], env: { ...Object.fromEntries(malloc), ...process.env } };
}
