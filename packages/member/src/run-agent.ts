import { memberNamespace } from '@flotilla/api';
import { EventRecorder, InformerSet } from '@flotilla/runtime';
import { LoopTurns } from '@flotilla/timing';
import type { AppliedWorkKind } from './applied-work-kind.ts';
import type { ApplierOptions } from './apply/applier-options.ts';
import { startApplier } from './apply/start-applier.ts';
import { Heartbeat, type Membership } from './heartbeat/heartbeat.ts';
import { PropertyCollector } from './properties/property-collector.ts';
import type { PropertyProvider } from './properties/property-provider.ts';

export interface ActiveAgentOptions extends ApplierOptions {
  readonly appliedWorkKind: AppliedWorkKind;
  /** Without one, the agent counts nodes and pods. */
  readonly provider?: PropertyProvider | undefined;
  /** Whether the hub learns the member's namespaces. Default: true. */
  readonly reportsNamespaces?: boolean | undefined;
  /** Called after the hub has the status of a member that joined or left. */
  readonly onMembership?: (membership: Membership) => void;
}

/** An agent that is the only replica or the leader. */
export interface ActiveAgent {
  readonly joined: Promise<void>;
  readonly membership: () => Membership | undefined;
  readonly failure: () => string | undefined;
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Starts heartbeat, applier and property collector. The heartbeat makes the applier join and leave. */
export function runAgent(options: ActiveAgentOptions): ActiveAgent {
  const {
    name,
    hub,
    member,
    clock,
    turns = new LoopTurns(),
    random,
    logger,
    metrics,
    provider,
    reportsNamespaces,
    appliedWorkKind,
  } = options;
  const ending = new AbortController();
  const events = new EventRecorder({ client: hub, clock, turns, random, logger });
  const applier = startApplier({ ...options, turns });
  let started: Heartbeat | undefined;
  const heartbeat = (started = new Heartbeat({
    name,
    hub,
    member,
    applier,
    problem: () => appliedWorkKind.problem,
    events,
    onMembership: options.onMembership,
    clock,
    turns,
    random,
    logger,
    metrics,
    informers: new InformerSet({ client: hub, clock, turns, random, logger, namespace: memberNamespace(name) }),
    properties: new PropertyCollector(provider, {
      member,
      informers: new InformerSet({ client: member, clock, turns, random, logger }),
      clock,
      logger: logger.with({ part: 'properties' }),
      signal: ending.signal,
      reportsNamespaces,
      // Informers in process report what exists at once. The first heartbeat sends that anyway.
      namespacesChanged: (change) => started?.reportSoon(change),
    }),
  }));
  return {
    joined: heartbeat.joined,
    membership: () => heartbeat.membership,
    failure: () => heartbeat.failure,
    isAtRest: () => heartbeat.isAtRest && applier.isAtRest(),
    stop: async () => {
      ending.abort();
      await Promise.all([heartbeat.stop(), applier.stop()]);
      await events.stop();
    },
  };
}
