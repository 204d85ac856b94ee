import { join } from 'node:path';
import { homeDirectory } from '../home-directory.ts';

/** What a running `flotilla up` writes down about itself, so that other commands find it. */
export interface FleetRecord {
  /** That of `--name`. Fleets with different data directories may have the same. */
  readonly name: string;
  readonly pid: number;
  /** Tells the process from a later one with the same id. Absent where the system does not say. */
  readonly processStart?: string;
  readonly url: string;
  /** The administrator's access to the hub and to every member. */
  readonly kubeconfig: string;
  readonly hubContext: string;
  /** Number of simulated members. */
  readonly members: number;
  /** Absent with `--memory`. */
  readonly dataDirectory?: string;
  /** Absent without `--background`. */
  readonly log?: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

/** Records are state of a user, not of a working directory: `flotilla down` works from anywhere. */
export function recordFolder(environment: NodeJS.ProcessEnv, home = homeDirectory()): string {
  // The XDG specification says to ignore relative paths.
  const state = environment['XDG_STATE_HOME'];
  return join(state?.startsWith('/') ? state : join(home, '.local/state'), 'flotilla/fleets');
}

const recordName = /^\d{1,10}\.json$/;

export function isRecordFile(file: string): boolean {
  return recordName.test(file);
}

/** Undefined if the value is not a record, for instance of a later release. */
export function parseRecord(parsed: unknown): FleetRecord | undefined {
  const value = Object(parsed) as Partial<Record<keyof FleetRecord, unknown>>;
  const { pid, members } = value;
  const isText = (field: keyof FleetRecord): boolean => typeof value[field] === 'string';
  const isOptionalText = (field: keyof FleetRecord): boolean => value[field] === undefined || isText(field);
  const isValid =
    (['name', 'url', 'kubeconfig', 'hubContext', 'startedAt'] as const).every(isText) &&
    (['processStart', 'dataDirectory', 'log'] as const).every(isOptionalText) &&
    // A signal to 0 or to a negative id would reach other processes.
    Number.isSafeInteger(pid) &&
    Number(pid) > 1 &&
    Number.isSafeInteger(members);
  return isValid ? (value as FleetRecord) : undefined;
}
