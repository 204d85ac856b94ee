import type { FleetRecord } from './fleet-record.ts';

/** How a user names a running fleet. */
export interface WantedFleet {
  readonly name?: string | undefined;
  /** That of `--data-dir`, absolute. */
  readonly dataDirectory?: string | undefined;
}

/** A fleet, or a sentence that says why none was chosen. */
export type ChosenFleet = { readonly fleet: FleetRecord } | { readonly problem: string };

/**
 * Chooses among the fleets that run. Without a name, that of the working directory wins over others: `here` are the data directories
 * that a fleet started there would use.
 */
export function chooseFleet(
  running: readonly FleetRecord[],
  { name, dataDirectory }: WantedFleet,
  here: readonly string[],
): ChosenFleet {
  const matching = running.filter(
    (fleet) =>
      (name === undefined || fleet.name === name) &&
      (dataDirectory === undefined || fleet.dataDirectory === dataDirectory),
  );
  const local = matching.filter((fleet) => here.includes(fleet.dataDirectory ?? ''));
  const [first, second] = local.length > 0 ? local : matching;
  if (first === undefined) return { problem: `${noneOf({ name, dataDirectory })} runs${othersIn(running)}` };
  if (second === undefined) return { fleet: first };
  return { problem: `several fleets run: ${listOf(matching)}; choose one with --name or --data-dir` };
}

function noneOf({ name, dataDirectory }: WantedFleet): string {
  if (dataDirectory !== undefined) return `no fleet with the data directory ${dataDirectory}`;
  return name === undefined ? 'no fleet' : `no fleet named ${name}`;
}

function othersIn(running: readonly FleetRecord[]): string {
  if (running.length > 0) return `; these do: ${listOf(running)}`;
  return '; start one with "flotilla up --background"';
}

const maxListed = 10;

function listOf(fleets: readonly FleetRecord[]): string {
  const listed = fleets.slice(0, maxListed).map(({ name, dataDirectory = 'in memory', pid }) => {
    return `${name} (${dataDirectory}, process ${pid})`;
  });
  const rest = fleets.length - listed.length;
  return `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
