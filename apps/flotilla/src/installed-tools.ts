import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { shellQuoted } from './shell-quoted.ts';

/** Programs that a user can type in another terminal. */
export interface Tools {
  /** How to call this program. */
  readonly flotilla: string;
  readonly hasKubectl: boolean;
}

type IsProgram = (file: string) => boolean;

/** Looks in PATH without the folders that npm adds for its scripts: another terminal does not have them. */
export function installedTools(
  environment: Readonly<Record<string, string | undefined>>,
  isProgram: IsProgram = isExecutable,
): Tools {
  const isScript = environment['npm_execpath'] !== undefined;
  const folders = (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !(isScript && /[/\\]node_modules[/\\]/.test(`${folder}/`)));
  const isFound = (name: string): boolean => folders.some((folder) => isProgram(join(folder, name)));
  const launcher = isScript ? 'npx flotilla' : shellQuoted(environment['FLOTILLA_LAUNCHER'] || 'flotilla');
  return { flotilla: isFound('flotilla') ? 'flotilla' : launcher, hasKubectl: isFound('kubectl') };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
