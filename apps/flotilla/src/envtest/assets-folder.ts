import { existsSync, lstatSync, readlinkSync, symlinkSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { appFolder } from '../app-folder.ts';
import { UserFault } from '../user-error.ts';

/** A folder as envtest wants it: links to our launchers, and to the kubectl on `path` if there is one. */
export function prepareAssets(folder: string, path: string): string[] {
  const kubectl = path
    .split(delimiter)
    .filter((part) => part !== '' && resolve(part) !== folder)
    .map((part) => resolve(part, 'kubectl'))
    .find((file) => existsSync(file));
  mkdirSync(folder, { recursive: true });
  const launchers = join(appFolder(), 'envtest');
  const programs = new Map([
    ['kube-apiserver', join(launchers, 'kube-apiserver')],
    ['etcd', join(launchers, 'etcd')],
    ...(kubectl === undefined ? [] : [['kubectl', kubectl] as const]),
  ]);
  for (const [name, target] of programs) link(join(folder, name), target);
  return [...programs.keys()];
}

/** Links are ours to replace; a program that somebody put there is not. */
function link(file: string, target: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !found.isSymbolicLink()) {
    throw new UserFault(`${file} exists and is no link; remove it or name another folder with --dir.`);
  }
  if (found && readlinkSync(file) === target) return;
  rmSync(file, { force: true });
  symlinkSync(target, file);
}
