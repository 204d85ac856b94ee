import { nameIsDnsLabel, nameIsDnsSubdomain } from '@flotilla/kube';
import { fixed, plus, scaled, traversalFactor, type EstimatedArgument } from '../cost/cost.ts';
import { declare, member, type FunctionDeclaration, type Library, type OverloadParts } from '../library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, CelOpaque, type CelValue, type Result } from '../value.ts';
import { sizeOf } from '../values/size.ts';

/** An authorization check of an expression. */
export type AuthorizationAttributes = PathAttributes | ResourceAttributes;

interface CommonAttributes {
  readonly verb: string;
  /** Undefined: the user of the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

interface PathAttributes extends CommonAttributes {
  readonly path: string;
}

interface ResourceAttributes extends CommonAttributes {
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

export type Decide = (attributes: AuthorizationAttributes) => AccessDecision;

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
  readonly content: T;

  constructor(typeName: string, decide: Decide, content: T) {
    super();
    this.typeName = `kubernetes.authorization.${typeName}`;
    this.decide = decide;
    this.content = content;
  }

  override equals(other: CelOpaque): boolean {
    return this === other;
  }
}

type Authorizer = Check<Pick<CommonAttributes, 'serviceAccount'>>;
type PathCheck = Check<Omit<PathAttributes, 'verb'>>;
type GroupCheck = Check<Pick<ResourceAttributes, 'group' | 'serviceAccount'>>;
type ResourceCheck = Check<Omit<ResourceAttributes, 'verb'>>;
type Decision = Check<AccessDecision>;

/** The value of the variable `authorizer`. `decide` makes the decisions. */
export function createAuthorizer(decide: Decide): CelValue {
  return new Check('Authorizer', decide, { serviceAccount: undefined });
}

export type RequestedResource = Pick<ResourceAttributes, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>;

/** The value of `authorizer.requestResource`: a check in which only the verb is missing. */
export function createResourceCheck(decide: Decide, requested: RequestedResource): CelValue {
  const content = { ...requested, fieldSelector: '', labelSelector: '', serviceAccount: undefined };
  return new Check('ResourceCheck', decide, content);
}

/** The cost budget of an expression allows two of them. */
const checkCosts: OverloadParts = { cost: () => 350_000, estimate: () => ({ cost: fixed(350_000) }) };

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
      member('pathcheck_check', [pathCheckType, string], decisionType, check, checkCosts),
      member('resourcecheck_check', [resourceCheckType, string], decisionType, check, checkCosts),
    ),
    declare(
      'allowed',
      member('decision_allowed', [decisionType], bool, ({ content }: Decision) => content.isAllowed),
    ),
    declare(
      'reason',
      member('decision_reason', [decisionType], string, ({ content }: Decision) => content.reason),
    ),
    declare(
      'errored',
      member('decision_errored', [decisionType], bool, ({ content }: Decision) => content.error !== undefined),
    ),
    declare(
      'error',
      member('decision_error', [decisionType], string, ({ content }: Decision) => content.error ?? ''),
    ),
  ],
};

function checkPath({ decide, content }: Authorizer, path: string): Result {
  if (path.trim() === '') return new CelError('path must not be empty');
  return new Check('PathCheck', decide, { ...content, path });
}

function checkGroup({ decide, content }: Authorizer, group: string): GroupCheck {
  return new Check('GroupCheck', decide, { ...content, group });
}

function asServiceAccount({ decide }: Authorizer, namespace: string, name: string): Result {
  if (nameIsDnsSubdomain(name, false).length > 0) return new CelError('Invalid service account name');
  if (nameIsDnsLabel(namespace, false).length > 0) return new CelError('Invalid service account namespace');
  return new Check('Authorizer', decide, { serviceAccount: { namespace, name } });
}

function checkResource({ decide, content }: GroupCheck, resource: string): Result {
  if (resource.trim() === '') return new CelError('resource must not be empty');
  const details = { resource, subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };
  return new Check('ResourceCheck', decide, { ...content, ...details });
}

type Detail = 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector';

function detail(name: Detail, id: string, parts?: OverloadParts): FunctionDeclaration {
  const call = ({ decide, content }: ResourceCheck, text: string): ResourceCheck =>
    new Check('ResourceCheck', decide, { ...content, [name]: text });
  return declare(name, member(id, [resourceCheckType, string], resourceCheckType, call, parts));
}

function check({ decide, content }: PathCheck | ResourceCheck, verb: string): Decision {
  return new Check('Decision', decide, decide({ ...content, verb }));
}
