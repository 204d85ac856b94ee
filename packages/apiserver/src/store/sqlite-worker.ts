/** The thread that waits for the disk, so that the main one never does. It sends all rows at its start, then takes tasks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { noteOwner } from './data-directory.ts';
import { UnusableDatabase } from './database-header.ts';
import { isBusy, refusedWrite } from './sqlite-errors.ts';
import { SqliteLog } from './sqlite-log.ts';
import type { Answer, Refusal, Request, Task, WorkerStart } from './sqlite-messages.ts';

/** Rows that a sweep looks at before it lets commits through: a few milliseconds. */
const rowsPerSweep = 256;

const port = parentPort!;
const { file } = workerData as WorkerStart;
/** Sweeps and backups, which take many turns of the event loop. A close ends each at its next one. */
const longTasks = new Set<Promise<void>>();
let isClosing = false;

try {
  const log = SqliteLog.open(file);
  noteOwner(file);
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
  send({ kind: 'loaded' });
}

async function answer(log: SqliteLog, request: Request): Promise<void> {
  const { number } = request;
  try {
    await perform(log, request);
    send({ kind: 'done', number });
  } catch (error) {
    const message = request.task === 'append' ? refusedWrite(error) : (error as Error).message;
    send({ kind: 'failed', number, message });
  }
  if (request.task === 'close') port.close();
}

async function perform(log: SqliteLog, request: Task): Promise<void> {
  switch (request.task) {
    case 'append':
      try {
        return log.append(request.newStores, request.rows);
      } finally {
        // Collecting garbage here would come late: to this thread a buffer of many rows is one small object.
        request.rows.bytes.buffer.transfer(0);
      }
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
