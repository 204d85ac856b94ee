/** Which fleets of this user run. `flotilla up` records itself; `status`, `down` and a second `up` read the records. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import { isRecordFile, parseRecord, recordFolder, type FleetRecord } from './fleet-record.ts';
import { isRunning, processStart } from './process-identity.ts';

/** Fleets whose process runs, oldest first. Removes the records of others: a killed process leaves its record. */
export async function runningFleets(environment: NodeJS.ProcessEnv = process.env): Promise<FleetRecord[]> {
  const folder = recordFolder(environment);
  const files = (await readdir(folder).catch(() => [])).filter(isRecordFile);
  const records = await Promise.all(files.map((file) => runningRecord(folder, file)));
  return records
    .filter((record) => record !== undefined)
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt) || a.pid - b.pid);
}

async function runningRecord(folder: string, file: string): Promise<FleetRecord | undefined> {
  const record = await readRecord(join(folder, file));
  if (record !== undefined && isRunning(record.pid, record.processStart)) return record;
  if (record !== undefined) await removeRecord(folder, record.pid).catch(() => undefined);
  return undefined;
}

/** Larger files are not records. */
const maxRecordBytes = 64 * 1024;

async function readRecord(file: string): Promise<FleetRecord | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return text.length > maxRecordBytes ? undefined : parseRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The kubeconfig of a fleet without a data directory, beside its record. */
export function recordedKubeconfig(pid = process.pid, environment: NodeJS.ProcessEnv = process.env): string {
  return join(recordFolder(environment), `${pid}.kubeconfig`);
}

/** Records this process. The returned function removes the record. Throws if the folder is not writable. */
export async function recordFleet(
  fleet: Omit<FleetRecord, 'pid' | 'processStart'>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<() => Promise<void>> {
  const { pid } = process;
  const start = processStart(pid);
  const folder = recordFolder(environment);
  const record: FleetRecord = { ...fleet, pid, ...(start !== undefined && { processStart: start }) };
  await replaceFile(join(folder, `${pid}.json`), `${JSON.stringify(record, undefined, 2)}\n`);
  return () => removeRecord(folder, pid);
}

async function removeRecord(folder: string, pid: number): Promise<void> {
  for (const end of ['json', 'kubeconfig']) await rm(join(folder, `${pid}.${end}`), { force: true });
}
