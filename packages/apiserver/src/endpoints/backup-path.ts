import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { apiErrors, type ApiResponse, type ResponseStream } from '@flotilla/kube';
import type { PathHandler } from '../request/path-handler.ts';
import type { StorageEngine } from '../store/store.ts';
import { headersFor } from '../response/respond.ts';

/** Where a running server gives out a copy of its data. */
export const backupPath = '/flotilla/backup';

/**
 * Answers with a consistent copy of everything stored. It is made beside the data, where the disk and the file modes are
 * right, and has no name any more when the first byte leaves: nothing stays behind, however the transfer ends.
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
    throw apiErrors.serviceUnavailable('the client has gone or the server stops');
  }
  const headers = { ...headersFor('application/vnd.sqlite3'), 'content-length': String(size) };
  return { status: 200, headers, body: fileStream(handle) };
}

/** Sends as fast as the reader takes it. Whoever gets less than was promised knows that it failed. */
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
