/** Why a placement can never get its snapshots, in the words that users find in its status. */
import type { PlacedResource } from '@flotilla/api';
import type { SelectedResources } from './selection/selection.ts';

/** An object may have 1.5 MiB. A snapshot needs some of it for its metadata. */
const maxResourceBytes = 1.5 * 1024 * 1024 - 4096;

/** The limit for values of labels; every snapshot has the name of its placement in one. */
const maxNameLength = 63;

const userError = 'failed to process the request due to a client error: ';

/** Undefined if nothing prevents the snapshots. */
export function unplaceable(placement: string, { sizes, identifiers }: SelectedResources): string | undefined {
  if (placement.length > maxNameLength) {
    return `${userError}the name of the placement has ${placement.length} characters, snapshots allow ${maxNameLength}`;
  }
  const at = sizes.findIndex((size) => size > maxResourceBytes);
  const resource = identifiers[at];
  if (resource === undefined) return undefined;
  return `${userError}${textOf(resource)} has ${sizes[at]} bytes, a snapshot holds at most ${maxResourceBytes}`;
}

function textOf({ kind, namespace, name }: PlacedResource): string {
  return namespace === undefined || namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
