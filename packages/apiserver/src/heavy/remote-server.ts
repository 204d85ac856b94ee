import { MetricsRegistry, type JsonObject, type KubeObject, type User } from '@flotilla/kube';
import { LoopTurns, systemClock } from '@flotilla/timing';
import type { Recognition } from '../access/authentication/bearer-tokens.ts';
import type { Admission } from '../admission/admission.ts';
import { objectsInNamespaces } from '../admission/objects-in-namespaces.ts';
import { admissionPlugins } from '../admission/default-admission.ts';
import { AdmissionWebhooks } from '../admission/webhooks/admission-webhooks.ts';
import type { WebhookCaller } from '../admission/webhooks/call-webhook.ts';
import type { AdmissionObserver } from '../admission/metrics/admission-observer.ts';
import { AdmissionTimes } from '../admission/metrics/phase-times.ts';
import { watchEventMetrics } from '../metrics/store-metrics.ts';
import { builtinCatalog } from '../resources/builtin-resources.ts';
import { Registry } from '../resources/registry.ts';
import type { Reservation } from '../resources/resource.ts';
import type { Server } from '../call/server.ts';
import type { CallOwnServer } from '../webhooks/own-server.ts';
import type { HostFunctions } from './host-functions.ts';
import type { Redeem, RemoteStore } from './remote-store.ts';
import type { ServerSettings } from './thread-messages.ts';

/** What the worker itself has for a server. */
interface WorkerParts {
  readonly store: RemoteStore;
  readonly caller: WebhookCaller;
  readonly callOwnServer: CallOwnServer;
  /** Waits for an outcome in the main thread. */
  readonly redeem: Redeem;
  /** The admission plugins of the host program. */
  readonly plugins: readonly Admission[];
}

/** The dependencies of the verbs in the worker. Most call the main thread. */
export function remoteServer(
  { allowsPrivileged, disabledAdmission, addedAdmission }: ServerSettings,
  host: HostFunctions,
  { store, caller, callOwnServer, redeem, plugins: known }: WorkerParts,
): Server {
  return {
    store,
    ...objectsInNamespaces(store),
    registry: new Registry(builtinCatalog()),
    admission: admissionPlugins(
      disabledAdmission,
      addedAdmission.map((name) => findPlugin(name, known)),
    ),
    admissionTimes: new AdmissionTimes((run) => host.pluginsRan(run), 1),
    observer: remoteObserver(host),
    findKind: (gvk) => host.findKind(gvk),
    tokens: remoteTokens(host, redeem),
    access: remoteAccess(host),
    webhooks: new AdmissionWebhooks({ store, callOwnServer, ...caller }),
    allowsPrivileged,
    now: () => new Date(host.now()),
    random: () => host.random(),
    uid: () => host.uid(),
    after: (milliseconds, call) => systemClock.after(milliseconds, call),
    turns: new LoopTurns(),
    services: {
      reserve: (object, old, dryRun) => reserve(host, object, old, dryRun),
      release: (object) => host.release(object),
    },
    watchEvents: watchEventMetrics(new MetricsRegistry()),
  };
}

/** The metrics are in the main thread. */
function remoteObserver(host: HostFunctions): AdmissionObserver {
  return {
    ran: (run) => host.pluginsRan(run),
    webhooks: {
      called: (...args) => host.webhookCalled(...args),
      failedOpen: (...args) => host.webhookFailedOpen(...args),
      excluded: (...args) => host.webhookExcluded(...args),
    },
    policies: {
      validated: (...args) => host.policyValidated(...args),
      mutated: (...args) => host.policyMutated(...args),
    },
    conditions: { evaluated: (...args) => host.conditionsEvaluated(...args) },
  };
}

function findPlugin(name: string, known: readonly Admission[]): Admission {
  const plugin = known.find((candidate) => candidate.name === name);
  if (!plugin) throw new Error(`the worker has no admission plugin ${name}`);
  return plugin;
}

function remoteTokens(host: HostFunctions, redeem: Redeem): Server['tokens'] {
  return {
    recognise: (token, audiences) => {
      const recognition = host.recognise(token, audiences);
      return 'ticket' in recognition ? (redeem(recognition.ticket) as Promise<Recognition>) : recognition;
    },
    accounts: {
      sign: (claims) => host.sign(claims),
      get audiences() {
        return host.tokenLimits().audiences;
      },
      get maxExpirationSeconds() {
        return host.tokenLimits().maxExpirationSeconds;
      },
    },
  };
}

/** A review may name a user in tens of thousands of groups. The main thread looks at this many of them in one turn. */
const groupsPerCall = 1000;

function remoteAccess(host: HostFunctions): Server['access'] {
  const effective = (user: User): User => {
    const { groups } = user;
    if (groups.length <= groupsPerCall) return user;
    const found: string[] = [];
    for (let from = 0; from < groups.length; from += groupsPerCall) {
      found.push(...host.effectiveGroups(groups.slice(from, from + groupsPerCall)));
    }
    return { ...user, groups: found };
  };
  return {
    authorize: (access) => host.authorize({ ...access, user: effective(access.user) }),
    effectiveGroups: (groups) => host.effectiveGroups(groups),
    get generation() {
      return host.rulesGeneration();
    },
    rulesOf: (user, namespace) => host.rulesOf(effective(user), namespace),
    missingRoles: (user, namespace) => host.missingRoles(effective(user), namespace),
    rulesOfRole: (role, namespace) => host.rulesOfRole(role, namespace),
    notHeld: (user, namespace, rules) => host.notHeld(effective(user), namespace, rules),
  };
}

/** Reserving edits the Service, so the main thread gets a copy of the fields it needs and returns them. */
function reserve(host: HostFunctions, object: KubeObject, old: KubeObject | undefined, dryRun: boolean): Reservation {
  const needsPorts = [object, old].some((service) => service && !neverHasNodePorts(service));
  const { object: reserved, reservation } = host.reserve(
    reservationFields(object, needsPorts),
    old && reservationFields(old, needsPorts),
    dryRun,
  );
  const { ports } = specOf(object);
  object['spec'] = { ...(!needsPorts && ports && { ports }), ...specOf(reserved) };
  return {
    keep: () => host.endReservation(reservation, 'keep'),
    undo: () => host.endReservation(reservation, 'undo'),
  };
}

/** The Service without managedFields, and without its ports, of which there may be thousands, unless they need node ports. */
function reservationFields({ kind, apiVersion, metadata, ...rest }: KubeObject, needsPorts: boolean): KubeObject {
  const { name = '', namespace = '' } = metadata;
  const { ports, ...spec } = specOf(rest);
  return { kind, apiVersion, metadata: { name, namespace }, spec: needsPorts && ports ? { ...spec, ports } : spec };
}

function neverHasNodePorts(service: KubeObject): boolean {
  const { type } = specOf(service);
  return type === 'ClusterIP' || type === 'ExternalName';
}

function specOf(service: JsonObject): JsonObject {
  return (service['spec'] ??= {}) as JsonObject;
}
