import { existsSync, lstatSync, readlinkSync, symlinkSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { makeFolders } from '../make-folders.ts';
import { UserError } from '../user-error.ts';

/** Creates a folder for envtest with links to our launchers, and to the kubectl on `path` if there is one. */
export function prepareAssets(folder: string, path: string): string[] {
  const kubectl = path
    .split(delimiter)
    .filter((part) => part !== '' && resolve(part) !== folder)
    .map((part) => resolve(part, 'kubectl'))
    .find((file) => existsSync(file));
  makeFolders(folder);
  const launchers = join(appFolder(), 'envtest');
  const programs = new Map([
    ['kube-apiserver', join(launchers, 'kube-apiserver')],
    ['etcd', join(launchers, 'etcd')],
    ...(kubectl === undefined ? [] : [['kubectl', kubectl] as const]),
  ]);
  for (const [name, target] of programs) link(join(folder, name), target);
  return [...programs.keys()];
}

/** Replaces links only: the user may have put real programs there. */
function link(file: string, target: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !found.isSymbolicLink()) {
    throw new UserError(`${file} exists and is not a link; remove it, or name another folder with --dir.`);
  }
  if (found && readlinkSync(file) === target) return;
  rmSync(file, { force: true });
  symlinkSync(target, file);
}

/** The folder that the command is installed in, for sources and bundle alike. */
function appFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'bin', 'flotilla'))) {
    if (folder === dirname(folder)) throw new Error(`${import.meta.dirname} is not in an installation of flotilla`);
    folder = dirname(folder);
  }
  return folder;
}
