import { once, type KubeObject } from '@flotilla/kube';
import type { MatchConditions } from '../../matching/match-conditions.ts';
import type { MatchCriteria } from '../../matching/match-criteria.ts';
import type { Policy } from '../active-policies.ts';
import type { CompiledExpression } from '../compile-expression.ts';
import { PolicyCompiler } from '../policy-compiler.ts';
import { criteriaOf, matchConditionsOf, specOf, type PolicySpec } from '../policy-fields.ts';

interface MutatingSpec extends PolicySpec {
  readonly mutations?: readonly MutationFields[];
  readonly reinvocationPolicy?: string;
}

interface MutationFields {
  readonly patchType?: string;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

export interface Mutation {
  readonly type: 'applyConfiguration' | 'jsonPatch';
  readonly expression: CompiledExpression;
}

export interface CompiledMutations {
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly mutations: readonly Mutation[];
}

export class MutatingPolicy implements Policy {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly criteria: MatchCriteria;
  readonly conditions: MatchConditions;
  /** Whether it runs again after a later change of the object. */
  readonly isReinvoked: boolean;
  /** Compiled for the first request that needs it. */
  readonly compiled: () => CompiledMutations;

  constructor(object: KubeObject) {
    const spec = specOf(object) as MutatingSpec;
    this.name = object.metadata.name ?? '';
    this.spec = spec;
    this.criteria = criteriaOf(spec.matchConstraints ?? {});
    this.conditions = matchConditionsOf(spec);
    this.isReinvoked = spec.reinvocationPolicy === 'IfNeeded';
    this.compiled = once(() => compileMutations(spec));
  }
}

function compileMutations({ mutations = [], variables = [], paramKind }: MutatingSpec): CompiledMutations {
  const compiler = new PolicyCompiler({ hasParams: paramKind !== undefined, hasVariables: true });
  for (const { name = '', expression = '' } of variables) compiler.addVariable(name, expression);
  const compiled = mutations.map(({ patchType, applyConfiguration, jsonPatch }): Mutation => {
    const type = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
    const { expression = '' } = (type === 'jsonPatch' ? jsonPatch : applyConfiguration) ?? {};
    return { type, expression: compiler.compile(type, expression) };
  });
  return { variables: compiler.variables, mutations: compiled };
}
