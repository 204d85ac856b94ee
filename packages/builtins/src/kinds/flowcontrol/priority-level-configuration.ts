import {
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  pushAll,
  required,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { sameFields } from '../same-fields.ts';
import { conditionsOf, flowPreparation, flowStatus, validateFlowConditions } from './flow-status.ts';

export const priorityLevelConfigurationKind: KindBehavior = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  nameRule: nameIsDnsSubdomain,
  ...flowPreparation,
  setDefaults: setPriorityLevelDefaults,
  validate: validatePriorityLevel,
  validateUpdate: validatePriorityLevel,
  subresources: { status: flowStatus },
  columns: {
    definitions: [
      nameColumn,
      column('Type', 'string', 'Whether requests are limited or exempt.'),
      column('NominalConcurrencyShares', 'string', 'Its share of the requests that the server handles at once.'),
      column('Queues', 'string', 'How many queues there are.'),
      column('HandSize', 'string', 'How many queues each flow may use.'),
      column('QueueLengthLimit', 'string', 'How many requests fit into a queue.'),
      ageColumn,
    ],
    cells(object, now) {
      const { type = '', limited } = priorityLevelSpecOf(object);
      const queuing = limited?.limitResponse?.queuing;
      return [
        object.metadata.name ?? '',
        type,
        limited === undefined ? '<none>' : (limited.nominalConcurrencyShares ?? 0),
        queuing === undefined ? '<none>' : (queuing.queues ?? 0),
        queuing === undefined ? '<none>' : (queuing.handSize ?? 0),
        queuing === undefined ? '<none>' : (queuing.queueLengthLimit ?? 0),
        age(object, now),
      ];
    },
  },
};

function setPriorityLevelDefaults(object: KubeObject): void {
  const { exempt, limited } = priorityLevelSpecOf(object);
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (limited === undefined) return;
  limited.nominalConcurrencyShares ??= 30;
  limited.lendablePercent ??= 0;
  const queuing = limited.limitResponse?.queuing;
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}

interface PriorityLevelSpec {
  readonly type?: string;
  readonly limited?: LimitedLevel;
  readonly exempt?: ExemptLevel;
}

interface ExemptLevel {
  nominalConcurrencyShares?: number | null;
  lendablePercent?: number;
}

interface LimitedLevel extends ExemptLevel {
  readonly limitResponse?: LimitResponse;
  readonly borrowingLimitPercent?: number;
}

interface LimitResponse {
  readonly type?: string;
  readonly queuing?: Queuing;
}

interface Queuing {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}

function priorityLevelSpecOf(object: KubeObject): PriorityLevelSpec {
  return (object as KubeObject & { readonly spec?: PriorityLevelSpec }).spec ?? {};
}

const preserveZeroAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const maxQueues = 10_000_000;
/** Kubernetes deals a hand of queues from the bits of one hash. */
const maxHashBits = 60;

const catchAllSpec: PriorityLevelSpec = {
  type: 'Limited',
  limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
};

function validatePriorityLevel(object: KubeObject): FieldError[] {
  const { name = '', annotations = {} } = object.metadata;
  const spec = priorityLevelSpecOf(object);
  const errors: FieldError[] = [];
  if (Object.hasOwn(annotations, preserveZeroAnnotation)) {
    errors.push(forbidden('metadata.annotations', `annotation '${preserveZeroAnnotation}' is forbidden`));
  }
  return [
    ...errors,
    ...validateType(spec, name),
    ...validateMandatory(spec, name),
    ...validateFlowConditions(conditionsOf(object)),
  ];
}

function validateType(spec: PriorityLevelSpec, name: string): FieldError[] {
  const { type = '' } = spec;
  const errors: FieldError[] = [];
  if ((name === 'exempt') !== (type === 'Exempt')) {
    errors.push(invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  }
  if (type === 'Exempt') pushAll(errors, validateExempt(spec));
  else if (type === 'Limited') pushAll(errors, validateLimited(spec));
  else if (type === '') errors.push(required('spec.type'));
  else errors.push(notSupported('spec.type', type, ['Exempt', 'Limited']));
  return errors;
}

function validateExempt({ limited, exempt = {} }: PriorityLevelSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (limited !== undefined) errors.push(forbidden('spec.limited', 'must be nil if the type is not Limited'));
  return [...errors, ...validateShares(exempt, 'spec.exempt'), ...validateLendable(exempt, 'spec.exempt')];
}

function validateLimited({ limited, exempt }: PriorityLevelSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (exempt !== undefined) errors.push(forbidden('spec.exempt', 'must be nil if the type is Limited'));
  if (limited === undefined) {
    return [...errors, required('spec.limited', 'must not be empty when type is Limited')];
  }
  return [...errors, ...validateLimits(limited)];
}

function validateLimits(limited: LimitedLevel): FieldError[] {
  const { limitResponse = {}, borrowingLimitPercent = 0 } = limited;
  const errors = [
    ...validateShares(limited, 'spec.limited'),
    ...validateLimitResponse(limitResponse, 'spec.limited.limitResponse'),
    ...validateLendable(limited, 'spec.limited'),
  ];
  if (borrowingLimitPercent < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.push(invalid('spec.limited.borrowingLimitPercent', borrowingLimitPercent, detail));
  }
  return errors;
}

function validateShares({ nominalConcurrencyShares }: ExemptLevel, path: string): FieldError[] {
  const shares = nominalConcurrencyShares ?? 0;
  if (shares >= 0) return [];
  return [invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')];
}

function validateLendable({ lendablePercent: percent = 0 }: ExemptLevel, path: string): FieldError[] {
  if (percent >= 0 && percent <= 100) return [];
  return [invalid(`${path}.lendablePercent`, percent, 'must be between 0 and 100, inclusive')];
}

function validateLimitResponse({ type = '', queuing }: LimitResponse, path: string): FieldError[] {
  const field = `${path}.queuing`;
  switch (type) {
    case 'Reject':
      if (queuing === undefined) return [];
      return [forbidden(field, 'must be nil if limited.limitResponse.type is not Limited')];
    case 'Queue':
      if (queuing !== undefined) return validateQueuing(queuing, field);
      return [required(field, 'must not be empty if limited.limitResponse.type is Limited')];
    case '':
      return [required(`${path}.type`)];
    default:
      return [notSupported(`${path}.type`, type, ['Queue', 'Reject'])];
  }
}

function validateQueuing({ queues = 0, handSize = 0, queueLengthLimit = 0 }: Queuing, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0) errors.push(invalid(`${path}.queueLengthLimit`, queueLengthLimit, 'must be positive'));
  if (queues <= 0) errors.push(invalid(`${path}.queues`, queues, 'must be positive'));
  if (queues > maxQueues) errors.push(invalid(`${path}.queues`, queues, `must not be greater than ${maxQueues}`));
  const problem = handSizeProblem(queues, handSize);
  return problem === undefined ? errors : [...errors, invalid(`${path}.handSize`, handSize, problem)];
}

function handSizeProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return 'must be positive';
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  if (Math.ceil(Math.log2(queues) * handSize) <= maxHashBits) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxHashBits}`;
}

/** Two levels exist in every cluster; only the `exempt` part of `exempt` may change. */
function validateMandatory(spec: PriorityLevelSpec, name: string): FieldError[] {
  const isFixed =
    name === 'exempt' ? spec.type === 'Exempt' && spec.limited === undefined : sameFields(spec, catchAllSpec);
  if ((name !== 'exempt' && name !== 'catch-all') || isFixed) return [];
  const except = name === 'exempt' ? " except the 'spec.exempt' field" : '';
  return [invalid('spec', specInGo(spec), `spec of '${name}'${except} must equal the fixed value`)];
}

/** The spec as Go prints the struct in an error. */
function specInGo({ type = '', limited, exempt }: PriorityLevelSpec): JsonObject {
  return {
    Type: type,
    Limited: limited === undefined ? null : limitedInGo(limited),
    Exempt:
      exempt === undefined
        ? null
        : {
            NominalConcurrencyShares: exempt.nominalConcurrencyShares ?? null,
            LendablePercent: exempt.lendablePercent ?? null,
          },
  };
}

function limitedInGo(limited: LimitedLevel): JsonObject {
  const { type = '', queuing } = limited.limitResponse ?? {};
  return {
    NominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0,
    LimitResponse: {
      Type: type,
      Queuing:
        queuing === undefined
          ? null
          : {
              Queues: queuing.queues ?? 0,
              HandSize: queuing.handSize ?? 0,
              QueueLengthLimit: queuing.queueLengthLimit ?? 0,
            },
    },
    LendablePercent: limited.lendablePercent ?? null,
    BorrowingLimitPercent: limited.borrowingLimitPercent ?? null,
  };
}
