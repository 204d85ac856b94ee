/** What happens while a fleet starts, as data: a fleet in the background sends it to the command that started it. */
import type { Membership } from '@flotilla/member';
import type { FleetRecord } from '../fleets/fleet-record.ts';

export type UpEvent =
  | { readonly starting: StartingFleet }
  | { readonly hub: string }
  | { readonly joined: number; readonly of: number }
  | { readonly member: string; readonly membership: Membership }
  | { readonly warned: string }
  | { readonly ready: ReadyFleet }
  | { readonly failed: string };

export interface StartingFleet {
  readonly name: string;
  /** Absent with `--memory`. */
  readonly dataDirectory?: string;
  /** An earlier release made the data directory. */
  readonly isOlder: boolean;
}

export interface ReadyFleet extends Omit<FleetRecord, 'processStart'> {
  /** The context of the first simulated member. */
  readonly memberContext?: string;
  /** Number of members that wait for a user to create their MemberClusters. */
  readonly waiting?: number;
  /** Agents of real clusters. */
  readonly agents?: readonly { readonly name: string; readonly url: string }[];
  /** The file of `--merge`, where the name of each context begins with that of the fleet. */
  readonly mergedInto?: string;
  /** Absent if it ran already. */
  readonly readyMs?: number;
}
