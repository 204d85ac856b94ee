import { completeFleetFile, printFleetFile } from '@flotilla/fleet/file';
import { indentJson, stringifyJson } from '@flotilla/kube';
import type { UpFlags } from '../commands/up.ts';
import { readFleetFile } from './fleet-file.ts';

/** Prints the fleet file of the flags, with all fields. */
export async function printFile({ file, members, output = 'yaml' }: UpFlags): Promise<void> {
  const shape = file === undefined ? await shapeOf(members) : await readFleetFile(file);
  process.stdout.write(
    output === 'yaml' ? printFleetFile(shape) : `${indentJson(stringifyJson(completeFleetFile(shape)))}\n`,
  );
}

async function shapeOf(members: number | undefined) {
  const { shapeOfMembers } = await import('@flotilla/fleet/file');
  return shapeOfMembers(members ?? 3);
}
