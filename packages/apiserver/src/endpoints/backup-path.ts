import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { apiErrors, type ApiResponse, type ResponseStream } from '@flotilla/kube';
import type { PathHandler } from '../request/path-handler.ts';
import type { StorageEngine } from '../store/store.ts';
import { headersFor } from '../response/respond.ts';

export const backupPath = '/flotilla/backup';

/**
 * Answers with a consistent copy of the database. Writes it into the data directory, which has the right disk and file modes.
 * Unlinks it before the first byte is sent, so that no file remains however the transfer ends.
 */
export function backupHandler(engine: Pick<StorageEngine, 'backup'>, directory: string): PathHandler {
  const file = join(directory, 'backup.tmp');
  let isCopying = false;
  return async ({ method, signal }) => {
    if (method !== 'GET') throw apiErrors.methodNotAllowed();
    if (isCopying) throw apiErrors.tooManyRequests('another backup is being made', 1);
    isCopying = true;
    try {
      await rm(file, { force: true });
      await engine.backup(file);
      return await fileResponse(file, signal);
    } finally {
      await rm(file, { force: true });
      isCopying = false;
    }
  };
}

async function fileResponse(file: string, signal: AbortSignal): Promise<ApiResponse> {
  const handle = await open(file);
  const { size } = await handle.stat();
  if (signal.aborted) {
    await handle.close();
    throw apiErrors.serviceUnavailable('the client has disconnected or the server is stopping');
  }
  const headers = { ...headersFor('application/vnd.sqlite3'), 'content-length': String(size) };
  return { status: 200, headers, body: fileStream(handle) };
}

/** Sends with backpressure. A client that gets fewer bytes than Content-Length knows that the backup failed. */
function fileStream(handle: FileHandle): ResponseStream {
  return {
    isCompressible: false,
    start(sink) {
      const source = handle.createReadStream({ highWaterMark: 256 * 1024 });
      source.on('data', (chunk) => {
        if (!sink.write(chunk as Buffer)) source.pause();
      });
      sink.onDrain(() => source.resume());
      source.once('end', () => sink.end());
      source.once('error', sink.fail);
      sink.onClose(() => source.destroy());
    },
  };
}
