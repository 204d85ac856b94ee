/** FlowSchemas and PriorityLevelConfigurations as the server reads them. Validation has checked them. */
import type { JsonObject, KubeObject } from '@flotilla/kube';

export const flowControlPath = '/apis/flowcontrol.apiserver.k8s.io/v1';
export const flowSchemasCollection = 'flowschemas.flowcontrol.apiserver.k8s.io';
export const priorityLevelsCollection = 'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io';

/** The schema and the level that no request waits in, and those for requests that nothing else matches. */
export const exemptName = 'exempt';
export const catchAllName = 'catch-all';

export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly level: string;
  readonly precedence: number;
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  readonly rules: readonly FlowRule[];
}

export interface FlowRule {
  readonly subjects?: readonly FlowSubject[] | null;
  readonly resourceRules?: readonly ResourceRule[] | null;
  readonly nonResourceRules?: readonly NonResourceRule[] | null;
}

export interface FlowSubject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: { readonly namespace?: string; readonly name?: string };
}

export interface ResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
}

export interface NonResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

export interface LevelSpec {
  readonly name: string;
  readonly uid: string;
  readonly isExempt: boolean;
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined: may borrow as much as the server has. */
  readonly borrowingLimitPercent: number | undefined;
  /** Undefined: requests that find no seat are rejected. */
  readonly queuing: Queuing | undefined;
}

export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly lengthLimit: number;
}

interface FlowSchemaSpec {
  readonly priorityLevelConfiguration?: { readonly name?: string };
  readonly matchingPrecedence?: number;
  readonly distinguisherMethod?: { readonly type?: string } | null;
  readonly rules?: readonly FlowRule[] | null;
}

export function flowSchemaOf(object: KubeObject | JsonObject, uid: string): FlowSchema {
  const { metadata, spec = {} } = object as { metadata: { name?: string }; spec?: FlowSchemaSpec };
  const method = spec.distinguisherMethod?.type;
  return {
    name: metadata.name ?? '',
    uid,
    level: spec.priorityLevelConfiguration?.name ?? '',
    precedence: spec.matchingPrecedence ?? 0,
    distinguisher: method === 'ByUser' || method === 'ByNamespace' ? method : undefined,
    rules: spec.rules ?? [],
  };
}

interface LevelSeats {
  readonly nominalConcurrencyShares?: number | null;
  readonly lendablePercent?: number | null;
  readonly borrowingLimitPercent?: number | null;
  readonly limitResponse?: {
    readonly queuing?: { readonly queues?: number; readonly handSize?: number; readonly queueLengthLimit?: number };
  };
}

export function levelSpecOf(object: KubeObject | JsonObject, uid: string): LevelSpec {
  const { metadata, spec = {} } = object as {
    metadata: { name?: string };
    spec?: { type?: string; limited?: LevelSeats; exempt?: LevelSeats };
  };
  const isExempt = spec.type === 'Exempt';
  const seats = (isExempt ? spec.exempt : spec.limited) ?? {};
  const queuing = isExempt ? undefined : seats.limitResponse?.queuing;
  return {
    name: metadata.name ?? '',
    uid,
    isExempt,
    shares: seats.nominalConcurrencyShares ?? 0,
    lendablePercent: seats.lendablePercent ?? 0,
    borrowingLimitPercent: seats.borrowingLimitPercent ?? undefined,
    queuing: queuing && {
      queues: queuing.queues ?? 1,
      handSize: queuing.handSize ?? 1,
      lengthLimit: queuing.queueLengthLimit ?? 1,
    },
  };
}

/** The order in which schemas are tried. */
export function byPrecedence(one: FlowSchema, other: FlowSchema): number {
  return one.precedence - other.precedence || (one.name < other.name ? -1 : 1);
}
