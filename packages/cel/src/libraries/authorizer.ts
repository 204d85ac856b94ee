import { nameIsDnsLabel, nameIsDnsSubdomain } from '@flotilla/kube';
import { fixed, plus, scaled, traversalFactor, type EstimatedArgument } from '../cost/cost.ts';
import { declare, member, type FunctionDeclaration, type Library, type OverloadParts } from '../library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, CelOpaque, type CelValue, type Result } from '../value.ts';
import { sizeOf } from '../values/size.ts';

/** An authorization check of an expression. */
export type AccessQuestion = PathQuestion | ResourceQuestion;

interface Asked {
  readonly verb: string;
  /** Undefined: the user of the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

interface PathQuestion extends Asked {
  readonly path: string;
}

interface ResourceQuestion extends Asked {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessDecision {
  readonly isAllowed: boolean;
  readonly reason: string;
  /** Why there is no decision. */
  readonly error?: string;
}

export type Decide = (question: AccessQuestion) => AccessDecision;

const named = (name: string): CelType => types.sealed(`kubernetes.authorization.${name}`);

export const authorizerType = named('Authorizer');
const pathCheckType = named('PathCheck');
const groupCheckType = named('GroupCheck');
export const resourceCheckType = named('ResourceCheck');
const decisionType = named('Decision');

/** A partial check: the attributes that the expression has set so far. */
class Check<T> extends CelOpaque {
  override readonly typeName: string;
  readonly decide: Decide;
  readonly said: T;

  constructor(typeName: string, decide: Decide, said: T) {
    super();
    this.typeName = `kubernetes.authorization.${typeName}`;
    this.decide = decide;
    this.said = said;
  }

  override equals(other: CelOpaque): boolean {
    return this === other;
  }
}

type Authorizer = Check<Pick<Asked, 'serviceAccount'>>;
type PathCheck = Check<Omit<PathQuestion, 'verb'>>;
type GroupCheck = Check<Pick<ResourceQuestion, 'group' | 'serviceAccount'>>;
type ResourceCheck = Check<Omit<ResourceQuestion, 'verb'>>;
type Decision = Check<AccessDecision>;

/** The value of the variable `authorizer`. `decide` makes the decisions. */
export function createAuthorizer(decide: Decide): CelValue {
  return new Check('Authorizer', decide, { serviceAccount: undefined });
}

export type RequestedResource = Pick<ResourceQuestion, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;

/** The value of `authorizer.requestResource`: a check in which only the verb is missing. */
export function createResourceCheck(decide: Decide, requested: RequestedResource): CelValue {
  const said = { ...requested, fieldSelector: '', labelSelector: '', serviceAccount: undefined };
  return new Check('ResourceCheck', decide, said);
}

/** The cost budget of an expression allows two of them. */
const asks: OverloadParts = { cost: () => 350_000, estimate: () => ({ cost: fixed(350_000) }) };

/** Charges for parsing a selector and for its requirements, which have at least two characters each. */
const selectorBaseCost = 10;
const costPerRequirement = 50;
const readsSelector: OverloadParts = {
  cost: ([, selector]) => {
    const size = sizeOf(selector as CelValue);
    return selectorBaseCost + Math.ceil(size * traversalFactor) + Math.ceil(size * 0.5) * costPerRequirement;
  },
  estimate: ([, selector]) => {
    const { size } = selector as EstimatedArgument;
    const requirements = scaled(scaled(size, 0.5), costPerRequirement);
    return { cost: plus(plus(fixed(selectorBaseCost), scaled(size, traversalFactor)), requirements) };
  },
};

const { bool, string } = types;

/** Authorization checks. The variable at their start decides them. */
export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    declare('path', member('authorizer_path', [authorizerType, string], pathCheckType, checkPath)),
    declare('group', member('authorizer_group', [authorizerType, string], groupCheckType, checkGroup)),
    declare(
      'serviceAccount',
      member('authorizer_serviceaccount', [authorizerType, string, string], authorizerType, asServiceAccount),
    ),
    declare('resource', member('groupcheck_resource', [groupCheckType, string], resourceCheckType, checkResource)),
    detail('subresource', 'resourcecheck_subresource'),
    detail('namespace', 'resourcecheck_namespace'),
    detail('name', 'resourcecheck_name'),
    detail('fieldSelector', 'authorizer_fieldselector', readsSelector),
    detail('labelSelector', 'authorizer_labelselector', readsSelector),
    declare(
      'check',
      member('pathcheck_check', [pathCheckType, string], decisionType, ask, asks),
      member('resourcecheck_check', [resourceCheckType, string], decisionType, ask, asks),
    ),
    declare(
      'allowed',
      member('decision_allowed', [decisionType], bool, ({ said }: Decision) => said.isAllowed),
    ),
    declare(
      'reason',
      member('decision_reason', [decisionType], string, ({ said }: Decision) => said.reason),
    ),
    declare(
      'errored',
      member('decision_errored', [decisionType], bool, ({ said }: Decision) => said.error !== undefined),
    ),
    declare(
      'error',
      member('decision_error', [decisionType], string, ({ said }: Decision) => said.error ?? ''),
    ),
  ],
};

function checkPath({ decide, said }: Authorizer, path: string): Result {
  if (path.trim() === '') return new CelError('path must not be empty');
  return new Check('PathCheck', decide, { ...said, path });
}

function checkGroup({ decide, said }: Authorizer, group: string): GroupCheck {
  return new Check('GroupCheck', decide, { ...said, group });
}

function asServiceAccount({ decide }: Authorizer, namespace: string, name: string): Result {
  if (nameIsDnsSubdomain(name, false).length > 0) return new CelError('Invalid service account name');
  if (nameIsDnsLabel(namespace, false).length > 0) return new CelError('Invalid service account namespace');
  return new Check('Authorizer', decide, { serviceAccount: { namespace, name } });
}

function checkResource({ decide, said }: GroupCheck, resource: string): Result {
  if (resource.trim() === '') return new CelError('resource must not be empty');
  const details = { resource, subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };
  return new Check('ResourceCheck', decide, { ...said, ...details });
}

type Detail = 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector';

function detail(name: Detail, id: string, parts?: OverloadParts): FunctionDeclaration {
  const call = ({ decide, said }: ResourceCheck, text: string): ResourceCheck =>
    new Check('ResourceCheck', decide, { ...said, [name]: text });
  return declare(name, member(id, [resourceCheckType, string], resourceCheckType, call, parts));
}

function ask({ decide, said }: PathCheck | ResourceCheck, verb: string): Decision {
  return new Check('Decision', decide, decide({ ...said, verb }));
}
