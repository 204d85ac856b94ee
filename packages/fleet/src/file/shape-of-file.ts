/** Expands a checked file to the shape of a fleet, and checks what a schema cannot: names, ranges, and fields that exclude each other. */
import { fleetNamespace } from '@flotilla/api';
import {
  parsePolicySettings,
  parseTaint,
  PolicySettingsError,
  selectionProblem,
  stageList,
  stagesProblem,
} from '@flotilla/controllers';
import { dns1123SubdomainProblems, type JsonObject } from '@flotilla/kube';
import type { NodeShape, OutcomeRule, PodDelays, WorkloadBehaviour } from '@flotilla/simulator';
import { memberAccount, memberNameProblem } from '../member-credentials.ts';
import { withoutPattern } from './formats.ts';
import type { Path, Problem } from './check-value.ts';
import {
  maxMembers,
  type DelaysFile,
  type FleetFile,
  type HubFile,
  type MemberFile,
  type WorkloadRuleFile,
  type WorkloadsFile,
} from './fleet-schema.ts';
import { milliseconds, type FleetShape, type MemberShape } from './fleet-shape.ts';
import { namesIn } from './member-names.ts';
import { shown } from './shown.ts';

type Report = (problem: Problem) => void;

/** `file` is the same without defaults. Adds to the problems that the schema has found. */
export function shapeOf({ hub, workloads, members }: FleetFile, file: JsonObject, problems: Problem[]): FleetShape {
  const refused = new Set(problems.map(({ path }) => path.join('.')));
  const report: Report = (problem) => {
    // One problem for each value.
    if (!refused.has(problem.path.join('.'))) problems.push(problem);
  };
  checkHub(hub, report);
  const known = new KnownNames(hub, report);
  const shapes: MemberShape[] = [];
  for (const [index, entry] of members.entries()) {
    const path = ['members', index];
    // Null and unnamed entries were refused.
    if (entry === null || ['name', 'names'].some((field) => refused.has([...path, field].join('.')))) continue;
    checkMember(entry, path, report);
    for (const name of namesOf(entry, path, maxMembers - shapes.length, report)) {
      const shape = memberShape(entry, name, workloads);
      known.add(shape, path);
      shapes.push(shape);
    }
  }
  const nodes = hub.nodes.map((group) => nodeShape(group));
  return { hub: { ...hub, nodes, workloads: behaviourOf(workloads) }, members: shapes, file };
}

function memberShape(entry: MemberFile, name: string, workloads: WorkloadsFile): MemberShape {
  const { names: _names, heartbeat, nodes, region, ...rest } = entry;
  return {
    ...rest,
    name,
    context: entry.context ?? name,
    serviceAccount: entry.serviceAccount ?? memberAccount(name).name,
    heartbeatSeconds: Math.round(milliseconds(heartbeat) / 1000),
    ...(region !== undefined && { region }),
    nodes: nodes.map((group) => nodeShape(group, region)),
    workloads: behaviourOf({ ...workloads, ...entry.workloads }),
  };
}

function nodeShape({ cpu, memory, pods, ...group }: MemberFile['nodes'][number], region?: string): NodeShape {
  const capacity = {
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
    ...(pods !== undefined && { pods: String(pods) }),
  };
  return {
    ...group,
    ...(region !== undefined && { region }),
    ...(Object.keys(capacity).length > 0 && { capacity }),
  };
}

function behaviourOf({ rules, delays, ...rest }: WorkloadsFile): WorkloadBehaviour {
  return { ...rest, rules: rules.map(ruleOf), delays: delaysOf(delays) };
}

/** Without conditions that always hold. */
function ruleOf({ images, labels, share, outcome }: WorkloadRuleFile): OutcomeRule {
  return {
    ...(images && { images }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(share < 1 && { share }),
    outcome,
  };
}

function delaysOf(delays: DelaysFile): PodDelays {
  return {
    schedulingMs: milliseconds(delays.scheduling),
    pullingMs: milliseconds(delays.pulling),
    startingMs: milliseconds(delays.starting),
    readinessMs: milliseconds(delays.readiness),
    runningMs: milliseconds(delays.running),
    terminationMs: milliseconds(delays.termination),
    jitter: delays.jitter,
  };
}

function namesOf({ name, names }: MemberFile, path: Path, limit: number, report: Report): readonly string[] {
  if ((name === undefined) === (names === undefined)) {
    report({ path, message: 'each entry has either name or names' });
    return [];
  }
  if (limit < 1) {
    report({ path, message: `a fleet has at most ${maxMembers} members` });
    return [];
  }
  if (name !== undefined) return [name];
  const found = namesIn(names ?? '', limit);
  if (!('problem' in found)) return found;
  report({ path: [...path, 'names'], message: `${shown(names ?? '')} ${found.problem}` });
  return [];
}

/** How long they may be. */
const longestDelays = [
  ['resourceSnapshotCreationMinimumInterval', '5m'],
  ['resourceChangesCollectionDuration', '1m'],
  ['evictionTtl', '24h'],
] as const;

function checkHub(hub: HubFile, report: Report): void {
  const bounds = { from: '30s', to: '1h' };
  checkRange(hub.forceDeleteWaitTime, bounds, ['hub', 'forceDeleteWaitTime'], report);
  checkRange(hub.clusterUnhealthyThreshold, bounds, ['hub', 'clusterUnhealthyThreshold'], report);
  for (const [field, to] of longestDelays) checkRange(hub[field], { from: '0s', to }, ['hub', field], report);
  const timeouts = { from: '1s', to: '720h' };
  checkRange(hub.schedulingHeartbeatTimeout, timeouts, ['hub', 'schedulingHeartbeatTimeout'], report);
  checkRange(hub.schedulingHealthTimeout, timeouts, ['hub', 'schedulingHealthTimeout'], report);
  checkRange(hub.updateRunStuckThreshold, timeouts, ['hub', 'updateRunStuckThreshold'], report);
  const problem = stagesProblem(stageList(hub.controllers));
  if (problem !== undefined) report({ path: ['hub', 'controllers'], message: problem });
  const taint = hub.newMemberTaint === undefined ? undefined : parseTaint(hub.newMemberTaint);
  if (taint && 'problem' in taint) report({ path: ['hub', 'newMemberTaint'], message: taint.problem });
  checkSelection(hub, report);
  checkPolicies(hub, report);
  if ((hub.tlsCertFile === undefined) !== (hub.tlsPrivateKeyFile === undefined)) {
    report({ path: ['hub'], message: 'tlsCertFile and tlsPrivateKeyFile must be set together' });
  }
  if (hub.memory && hub.dataDir !== undefined) {
    report({ path: ['hub', 'memory'], message: 'memory and dataDir exclude each other; choose one' });
  }
}

function checkPolicies({ admissionPolicies = {} }: HubFile, report: Report): void {
  try {
    parsePolicySettings(admissionPolicies);
  } catch (error) {
    if (!(error instanceof PolicySettingsError)) throw error;
    report({ path: ['hub', 'admissionPolicies'], message: error.message });
  }
}

function checkSelection(hub: HubFile, report: Report): void {
  const { skippedPropagatingApis: skippedApis, allowedPropagatingApis: allowedApis } = hub;
  const problem = selectionProblem({ skippedApis, allowedApis });
  const field = allowedApis === undefined ? 'skippedPropagatingApis' : 'allowedPropagatingApis';
  if (problem !== undefined) report({ path: ['hub', field], message: problem });
}

function checkMember(entry: MemberFile, path: Path, report: Report): void {
  checkRange(entry.heartbeat, { from: '1s', to: '10m' }, [...path, 'heartbeat'], report);
  const { maxRequeueDelay = '2s' } = entry;
  checkRange(maxRequeueDelay, { from: '2s', to: '1h' }, [...path, 'maxRequeueDelay'], report);
  if (entry.names !== undefined) refuseForSeveral(entry, path, report);
  if (entry.kubeconfig === undefined) {
    if (entry.kubeContext !== undefined) {
      report({ path: [...path, 'kubeContext'], message: 'kubeContext only applies with kubeconfig' });
    }
  } else refuseForReal(entry, path, report);
  checkProperties(entry, path, report);
  checkObjectName(entry.serviceAccount, [...path, 'serviceAccount'], report);
  checkObjectName(entry.tokenSecret, [...path, 'tokenSecret'], report);
}

/** Fields that name one thing, so that several members cannot share them. */
function refuseForSeveral(entry: MemberFile, path: Path, report: Report): void {
  for (const field of ['context', 'serviceAccount', 'tokenSecret', 'kubeconfig'] as const) {
    if (entry[field] === undefined) continue;
    report({ path: [...path, field], message: `${field} only applies to a single member; use name instead of names` });
  }
}

/** Fields of a simulated cluster. */
function refuseForReal(entry: MemberFile, path: Path, report: Report): void {
  const refuse = (field: string): void =>
    report({
      path: [...path, field],
      message: `${field} does not apply to a real cluster; leave it out or leave out kubeconfig`,
    });
  if (entry.agent !== 'embedded') refuse('agent');
  if (entry.context !== undefined) refuse('context');
}

function checkProperties({ properties }: MemberFile, path: Path, report: Report): void {
  const place = [...path, 'properties'];
  const hasPrices = Object.keys(properties.prices).length > 0;
  if (hasPrices && properties.priceTable !== undefined) {
    report({ path: [...place, 'priceTable'], message: 'prices and priceTable exclude each other; choose one' });
  }
  if (properties.provider === 'azure') return;
  if (hasPrices) report({ path: [...place, 'prices'], message: 'prices only apply with provider: azure' });
  if (properties.priceTable !== undefined) {
    report({ path: [...place, 'priceTable'], message: 'priceTable only applies with provider: azure' });
  }
}

function checkObjectName(name: string | undefined, path: Path, report: Report): void {
  const [problem] = name === undefined ? [] : dns1123SubdomainProblems(name);
  if (problem === undefined) return;
  const reason = withoutPattern(problem);
  report({ path, message: `${shown(name ?? '')} cannot be the name of an object in ${fleetNamespace}: ${reason}` });
}

function checkRange(text: string, { from, to }: { from: string; to: string }, path: Path, report: Report): void {
  const duration = milliseconds(text);
  if (duration >= milliseconds(from) && duration <= milliseconds(to)) return;
  report({ path, message: `${shown(text)} must be from ${from} to ${to}` });
}

/** Names, contexts and identities that must be unique. */
class KnownNames {
  readonly #report: Report;
  readonly #names = new Set<string>();
  readonly #contexts: Set<string>;
  readonly #accounts = new Set<string>();

  constructor({ context }: HubFile, report: Report) {
    this.#report = report;
    this.#contexts = new Set([context]);
  }

  add({ name, context, serviceAccount, kubeconfig }: MemberShape, path: Path): void {
    const problem = memberNameProblem(name);
    if (problem !== undefined) this.#report({ path: [...path, 'name'], message: withoutPattern(problem) });
    else if (this.#names.has(name)) this.#refuse(path, 'name', `the name ${shown(name)}`);
    // A real cluster has no context in the written kubeconfig.
    else if (kubeconfig === undefined && this.#contexts.has(context))
      this.#refuse(path, 'context', `the context ${shown(context)}`);
    else if (this.#accounts.has(serviceAccount)) {
      this.#refuse(path, 'serviceAccount', `the service account ${shown(serviceAccount)}`);
    }
    this.#names.add(name);
    if (kubeconfig === undefined) this.#contexts.add(context);
    this.#accounts.add(serviceAccount);
  }

  #refuse(path: Path, field: string, what: string): void {
    this.#report({ path: [...path, field], message: `${what} is used twice; each cluster needs its own` });
  }
}
