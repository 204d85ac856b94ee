import { readFile } from 'node:fs/promises';

/** Objects of a new server as `prepareObjects` writes them down. */
export interface PreparedObjects {
  /** Of every server with housekeeping. */
  readonly server: string;
  /** Those that a hub has in addition. */
  readonly hub?: string;
}

/** Returns undefined if there are none: then the server creates its objects with requests. */
export type ReadPrepared = () => Promise<PreparedObjects | undefined>;

/** The names of the files in the folder of a bundle. */
export const preparedFiles = { server: 'server.objects', hub: 'hub.objects' } as const;

export const serverFiles: ReadPrepared = async () => {
  const server = await read(preparedFiles.server);
  return server === undefined ? undefined : { server };
};

export const hubFiles: ReadPrepared = async () => {
  const [server, hub] = await Promise.all([read(preparedFiles.server), read(preparedFiles.hub)]);
  return server === undefined || hub === undefined ? undefined : { server, hub };
};

/** The files are beside the bundled program. A program that runs from its sources has none. */
function read(name: string): Promise<string | undefined> {
  return readFile(new URL(`./${name}`, import.meta.url), 'utf8').catch(() => undefined);
}
