import type { Client } from '@flotilla/client';
import { silentLogger, type Logger, type MetricsRegistry } from '@flotilla/kube';
import { EventRecorder, runControllers, type Controller, type PlannedEvent } from '@flotilla/runtime';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { CertificateRequests, type SignCertificate } from './certificate-requests/certificate-requests.ts';
import { Collector } from './garbage-collection/collector.ts';
import { Collections } from './collections/collections.ts';
import { EventExpiry } from './event-expiry/event-expiry.ts';
import { NamespaceEmptier } from './namespaces/namespace-emptier.ts';
import { QuotaCounter } from './quotas/quota-counter.ts';
import { policyTypesController } from './policy-types/controller.ts';
import type { CheckPolicyTypes } from './policy-types/decide.ts';
import { roleAggregationController } from './role-aggregation/controller.ts';
import { rootCertificateController } from './root-certificate/controller.ts';
import { secretReferenceController } from './secret-references/controller.ts';
import { serviceAccountController } from './service-accounts/controller.ts';
import { tokenSecretController } from './token-secrets/controller.ts';
import type { SignToken } from './token-secrets/decide.ts';
import {
  attributesClassProtectionController,
  claimProtectionController,
  volumeProtectionController,
} from './volume-protection/controllers.ts';

export interface HousekeepingOptions {
  /** Must be in process: watching every kind over a connection would be expensive. */
  readonly client: Client;
  readonly clock: Clock;
  /** The turns of the thread; by default new ones. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** The CA certificate of the server in PEM, published to pods. */
  readonly rootCertificate: string;
  /** Signs tokens for secrets of type service-account-token. Without it these stay empty. */
  readonly signToken?: SignToken;
  /** Signs certificates for approved requests. Without it these get none. */
  readonly signCertificate?: SignCertificate | undefined;
  /** Checks the types in expressions of ValidatingAdmissionPolicies. Without it their status stays empty. */
  readonly checkPolicyTypes?: CheckPolicyTypes;
  /** Whether a controller runs only from the first object of its first kind on. Default: false. */
  readonly sleepsWithoutObjects?: boolean;
  /** With `sleepsWithoutObjects`: all was done at this revision of the server, so only later objects count. */
  readonly restedAt?: number | undefined;
}

export interface Housekeeping {
  /** Whether nothing is queued, running or failing. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Starts the controllers of kube-controller-manager that a server needs. Resolves when all kinds are watched. */
export async function startHousekeeping(options: HousekeepingOptions): Promise<Housekeeping> {
  const { client, clock, turns = new LoopTurns(), random, logger = silentLogger, metrics } = options;
  const events = new EventRecorder({ client, clock, random, logger });
  const recordEvent = (event: PlannedEvent): void => events.record(event, 'garbage-collector-controller');
  const collections = new Collections({ client, clock, turns, random, logger });
  const collector = new Collector({ client, clock, turns, logger, collections, recordEvent });
  const emptier = new NamespaceEmptier({ client, clock, turns, logger, collections });
  const quotas = new QuotaCounter({ client, clock, turns, logger, collections });
  const expiry = new EventExpiry({ client, clock, turns, logger, collections });
  const sign = options.signCertificate;
  const requests = new CertificateRequests({ client, clock, turns, logger, collections, sign });
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
    sleepsWithoutObjects: options.sleepsWithoutObjects ?? false,
    restedAt: options.restedAt,
  });
  await running.ready;
  return {
    isAtRest: () =>
      [collections, collector, emptier, quotas, requests].every(({ isAtRest }) => isAtRest) &&
      running.isAtRest() &&
      running.health().every(({ failing }) => failing === 0),
    stop: async () => {
      expiry.stop();
      await Promise.all([collections, collector, emptier, quotas, requests, running].map((part) => part.stop()));
      await events.stop();
    },
  };
}

function controllersFor(options: HousekeepingOptions): Controller[] {
  const { rootCertificate: certificate, signToken: sign, checkPolicyTypes } = options;
  return [
    serviceAccountController,
    rootCertificateController(certificate),
    ...(sign ? [tokenSecretController({ certificate, sign })] : []),
    secretReferenceController,
    roleAggregationController,
    claimProtectionController,
    volumeProtectionController,
    attributesClassProtectionController,
    ...(checkPolicyTypes ? [policyTypesController(checkPolicyTypes)] : []),
  ];
}
