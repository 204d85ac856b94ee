import type { Client } from '@flotilla/client';
import { silentLogger, type Logger, type MetricsRegistry, type OwnerReference } from '@flotilla/kube';
import { EventRecorder, runControllers, type Controller } from '@flotilla/runtime';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { Collector } from './garbage-collection/collector.ts';
import type { Node } from './garbage-collection/owner-graph.ts';
import { invalidNamespace } from './garbage-collection/invalid-namespace.ts';
import { Collections } from './collections/collections.ts';
import { EventExpiry } from './event-expiry/event-expiry.ts';
import { NamespaceEmptier } from './namespaces/namespace-emptier.ts';
import { roleAggregationController } from './role-aggregation/controller.ts';
import { rootCertificateController } from './root-certificate/controller.ts';
import { secretReferenceController } from './secret-references/controller.ts';
import { serviceAccountController } from './service-accounts/controller.ts';
import { tokenSecretController } from './token-secrets/controller.ts';
import type { SignToken } from './token-secrets/decide.ts';
import { claimProtectionController, volumeProtectionController } from './volume-protection/controllers.ts';

export interface HousekeepingOptions {
  /** In process, so that everything can be followed for nothing. */
  readonly client: Client;
  readonly clock: Clock;
  /** Of the thread; default: its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** By which pods know the server, PEM. */
  readonly rootCertificate: string;
  /** Signs the tokens that people keep in secrets; without it those stay empty. */
  readonly signToken?: SignToken;
}

export interface Housekeeping {
  /** Nothing to do before something changes, and nothing that will be tried again. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** What kube-controller-manager does for a server that is shared. It is ready when everything is followed. */
export async function startHousekeeping(options: HousekeepingOptions): Promise<Housekeeping> {
  const { client, clock, turns = new LoopTurns(), random, logger = silentLogger, metrics } = options;
  const events = new EventRecorder({ client, clock, random, logger });
  const report = (node: Node, reference: OwnerReference): void =>
    events.record(invalidNamespace(node, reference), 'garbage-collector-controller');
  const collections = new Collections({ client, clock, turns, random, logger });
  const collector = new Collector({ client, clock, turns, logger, collections, report });
  const emptier = new NamespaceEmptier({ client, clock, turns, logger, collections });
  const expiry = new EventExpiry({ client, clock, turns, logger, collections });
  await collections.start();
  const running = runControllers({
    client,
    clock,
    turns,
    random,
    logger,
    ...(metrics && { metrics }),
    events,
    controllers: controllersFor(options),
  });
  await running.ready;
  return {
    isAtRest: () =>
      [collections, collector, emptier].every(({ isAtRest }) => isAtRest) &&
      running.isAtRest() &&
      running.health().every(({ failing }) => failing === 0),
    stop: async () => {
      expiry.stop();
      await Promise.all([collections.stop(), collector.stop(), emptier.stop(), running.stop()]);
      await events.stop();
    },
  };
}

function controllersFor({ rootCertificate: certificate, signToken: sign }: HousekeepingOptions): Controller[] {
  return [
    serviceAccountController,
    rootCertificateController(certificate),
    ...(sign ? [tokenSecretController({ certificate, sign })] : []),
    secretReferenceController,
    roleAggregationController,
    claimProtectionController,
    volumeProtectionController,
  ];
}
