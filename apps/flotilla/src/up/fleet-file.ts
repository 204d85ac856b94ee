import { createReadStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FleetFileError, maxFleetFileBytes, parseFleetFile, type FleetShape } from '@flotilla/fleet/file';
import { YamlError, yamlText } from '@flotilla/kube';
import { UserError } from '../user-error.ts';
import { homeDirectory } from '../home-directory.ts';

/** `-` is standard input. Files that a fleet file names are relative to its directory. */
export async function readFleetFile(file: string): Promise<FleetShape> {
  const isInput = file === '-';
  const directory = isInput ? '.' : dirname(file);
  const name = isInput ? 'standard input' : file;
  try {
    const text = yamlText(await contentOf(file, name));
    return parseFleetFile(text, { name, resolveFile: (path) => resolve(directory, withHome(path)) });
  } catch (error) {
    if (error instanceof FleetFileError) throw new UserError(error.message, { cause: error });
    if (error instanceof YamlError) throw new UserError(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

function withHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homeDirectory(), path.slice(1)) : path;
}

/** Reads one byte more than is allowed: devices and pipes may never end. */
async function contentOf(file: string, name: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    const stream = file === '-' ? process.stdin : createReadStream(file);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > maxFleetFileBytes) break;
    }
  } catch (error) {
    throw new UserError(`cannot read ${name}: ${(error as Error).message}.`, { cause: error });
  }
  return Buffer.concat(pieces);
}
