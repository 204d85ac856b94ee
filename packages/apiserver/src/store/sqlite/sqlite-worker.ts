/** The thread that waits for the disk instead of the main one. Sends all rows at the start, then performs tasks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { writeOwnerFile } from '../disk/data-directory.ts';
import { UnusableDatabase } from '../disk/database-header.ts';
import { Reserve } from '../disk/reserve.ts';
import { isBusy, isFull, refusedWrite } from './sqlite-errors.ts';
import { SqliteLog } from './sqlite-log.ts';
import type { Answer, Refusal, Request, Task, WorkerStart } from './sqlite-messages.ts';

/** Rows that a sweep examines before it yields to commits: a few milliseconds. */
const rowsPerSweep = 256;

const port = parentPort!;
const { file, reserveBytes } = workerData as WorkerStart;
const reserve = new Reserve(file, reserveBytes);
/** Bytes that must be free beside the reserve before a full disk counts as having room again. */
const spareBytes = reserveBytes / 4;
/** The reserve is checked after this many written bytes. */
const bytesPerCheck = reserveBytes / 16;
let bytesSinceCheck = 0;
/** Sweeps and backups, which take many turns of the event loop. A close aborts each at its next turn. */
const longTasks = new Set<Promise<void>>();
let isClosing = false;

try {
  const log = SqliteLog.open(file);
  writeOwnerFile(file);
  sendEverything(log);
  port.on('message', (request: Request) => void answer(log, request));
} catch (error) {
  send({ kind: 'refused', why: refusalOf(error) });
}

function sendEverything(log: SqliteLog): void {
  send({ kind: 'found', stores: log.stores().map((store) => ({ ...store, revision: log.revision(store) })) });
  try {
    for (const rows of log.read()) send({ kind: 'rows', rows }, [rows.bytes.buffer]);
  } catch (error) {
    log.close();
    throw error;
  }
  const need = log.space();
  send({ kind: 'loaded', isFull: !reserve.covers(need) && !reserve.make(need) });
}

async function answer(log: SqliteLog, request: Request): Promise<void> {
  const { number } = request;
  try {
    await perform(log, request);
    send({ kind: 'done', number });
  } catch (error) {
    const message = request.task === 'append' ? refusedWrite(error) : (error as Error).message;
    send({ kind: 'failed', number, message, isFull: isFull(error) });
  }
  if (request.task === 'close') port.close();
}

async function perform(log: SqliteLog, request: Task): Promise<void> {
  switch (request.task) {
    case 'append':
      try {
        return append(log, request);
      } finally {
        // The garbage collector would free this late: to this thread a buffer of many rows is one small object.
        request.rows.bytes.buffer.transfer(0);
      }
    case 'reserve':
      log.checkpoint();
      if (reserve.make(log.space(), spareBytes)) return;
      throw new Error('the disk is full');
    case 'release':
      reserve.release();
      log.checkpoint();
      return log.dropHistory();
    case 'sweep':
      return untilClosed(sweep(log, request.store, request.compacted));
    case 'backup':
      return untilClosed(log.backup(request.file, refuseWhenClosing));
    case 'close':
      isClosing = true;
      await Promise.allSettled(longTasks);
      return log.close();
  }
}

function append(log: SqliteLog, { newStores, rows, isCompact }: Extract<Task, { task: 'append' }>): void {
  log.append(newStores, rows, isCompact);
  bytesSinceCheck += rows.bytes.length;
  if (bytesSinceCheck < bytesPerCheck) return;
  bytesSinceCheck = 0;
  // There is no reserve while the disk is full. A checkpoint moves the rows into free pages.
  if (isCompact) return log.checkpoint();
  const need = log.space();
  if (!reserve.covers(need) && !reserve.make(need)) log.checkpoint();
}

async function sweep(log: SqliteLog, store: number, compacted: number): Promise<void> {
  while (log.sweep(store, compacted, rowsPerSweep) === 'more') {
    await nextTurn();
    refuseWhenClosing();
  }
}

async function untilClosed(task: Promise<void>): Promise<void> {
  longTasks.add(task);
  return task.finally(() => longTasks.delete(task));
}

function refuseWhenClosing(): void {
  if (isClosing) throw new Error('the store is closed');
}

function refusalOf(error: unknown): Refusal {
  if (isBusy(error)) return { reason: 'busy' };
  if (error instanceof UnusableDatabase) return { reason: 'unusable', problem: error.problem };
  return { reason: 'failed', message: (error as Error).message };
}

function send(answer: Answer, transfer: ArrayBuffer[] = []): void {
  port.postMessage(answer, transfer);
}
