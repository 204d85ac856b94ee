import type { MessagePort } from 'node:worker_threads';
import type { User } from '@flotilla/kube';
import type { EmbeddingHost } from '../embedded-servers.ts';
import type { MemberFaults } from '../faults/member-faults.ts';
import type { MemberShape } from '../file/fleet-shape.ts';
import type { RunningMember } from '../start-member.ts';
import type { LogTarget } from './port-logger.ts';

/** What a thread with members starts with. */
export interface MemberThreadStart {
  /** To the hub's API server. */
  readonly hub: MessagePort;
  /** From callers of the members' API servers. */
  readonly members: MessagePort;
  /** Of `MemberFunctions`. */
  readonly calls: MessagePort;
  readonly log: LogTarget;
}

/** What servers behind the hub's port must know of it. Plain data. */
export interface HubListener extends Pick<EmbeddingHost, 'address' | 'port' | 'authority' | 'secret'> {
  readonly memberFinalizers: readonly string[];
}

/** What the main thread asks of a thread with members. `open` comes first. */
export interface MemberFunctions {
  readonly open: (listener: HubListener) => Promise<void>;
  /** Starts a member that is registered with the hub. */
  readonly start: (member: {
    readonly shape: MemberShape;
    readonly faults: MemberFaults;
  }) => Promise<Pick<RunningMember, 'url' | 'access'>>;
  readonly setFaults: (change: { readonly name: string; readonly faults: MemberFaults }) => Promise<void>;
  readonly authenticate: (credential: {
    readonly name: string;
    readonly authorization: string | undefined;
    readonly target: string | undefined;
  }) => Promise<User | undefined>;
  readonly stop: (name: string) => Promise<void>;
}
