import { admissionEnvironment, compile, DeclaredVariables, type CelType } from '@flotilla/cel';
import { compareBytes, type KubeObject } from '@flotilla/kube';
import { splitApiVersion } from '../../../resources/builtin-resource.ts';
import type { Registry } from '../../../resources/registry.ts';
import type { Resource } from '../../../resources/resource.ts';
import type { AdmissionRule } from '../../matching/rules.ts';
import { specOf, type ParamKind, type PolicySpec } from '../policy-fields.ts';
import { typeOfServedKind } from './schema-type.ts';

/** What `status.typeChecking` of a policy says about one of its expressions. */
export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

interface CheckedSpec extends PolicySpec {
  readonly validations?: readonly { readonly expression?: string; readonly messageExpression?: string }[];
}

const maxTypes = 10;

/** Compiles the expressions of a ValidatingAdmissionPolicy with the types of the kinds that its rules name. */
export function checkPolicyTypes(policy: KubeObject, registry: Registry): ExpressionWarning[] {
  const spec = specOf(policy) as CheckedSpec;
  const kinds = kindsOf(spec.matchConstraints?.resourceRules ?? [], registry);
  if (kinds.length === 0) return [];
  const params = spec.paramKind && paramType(spec.paramKind, registry);
  const checks = kinds.map(([name, type]) => ({ name, problemOf: checkerFor(spec, type, params) }));
  return (spec.validations ?? []).flatMap((validation, index) =>
    (['expression', 'messageExpression'] as const).flatMap((field) => {
      const text = validation[field] ?? '';
      if (text === '') return [];
      const results = checks.flatMap(({ name, problemOf }) => {
        const problem = problemOf(text);
        return problem === undefined ? [] : [`${name}: ${problem}\n`];
      });
      return results.length === 0
        ? []
        : [{ fieldRef: `spec.validations[${index}].${field}`, warning: results.join('\n') }];
    }),
  );
}

function checkerFor(
  { paramKind, variables = [] }: CheckedSpec,
  object: CelType,
  params: CelType | undefined,
): (expression: string) => string | undefined {
  const declared = new DeclaredVariables();
  const environment = admissionEnvironment({
    hasParams: paramKind !== undefined,
    hasAuthorizer: true,
    hasRequestResource: false,
    variables: declared.type,
    object,
    ...(params && { params }),
  });
  for (const { name = '', expression = '' } of variables) {
    const compiled = compile(environment, expression);
    declared.declare(name, 'ast' in compiled ? compiled.ast.resultType : undefined);
  }
  return (expression) => {
    const compiled = compile(environment, expression);
    return 'text' in compiled ? compiled.text : undefined;
  };
}

/** The kinds of all rules without wildcards, by group, version and kind. */
function kindsOf(rules: readonly AdmissionRule[], registry: Registry): readonly (readonly [string, CelType])[] {
  const found = new Map<string, Resource>();
  for (const rule of rules) {
    for (const resource of resourcesOf(rule, registry).slice(0, maxTypes)) {
      found.set(`${resource.group}/${resource.version}, Kind=${resource.kind}`, resource);
    }
  }
  return [...found]
    .sort(([a], [b]) => compareBytes(a, b))
    .slice(0, maxTypes)
    .flatMap(([name, resource]) => {
      const type = typeOfServedKind(resource);
      return type ? [[name, type] as const] : [];
    });
}

function resourcesOf(
  { apiGroups = [], apiVersions = [], resources = [] }: AdmissionRule,
  registry: Registry,
): Resource[] {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return [];
  const plurals = resources.filter((plural) => !/[*/]/.test(plural));
  return apiGroups.flatMap((group) =>
    apiVersions.flatMap((version) => plurals.flatMap((plural) => registry.find(group, version, plural) ?? [])),
  );
}

function paramType({ apiVersion = '', kind = '' }: ParamKind, registry: Registry): CelType | undefined {
  const { group, version } = splitApiVersion(apiVersion);
  const plural = registry.findKind({ group, version, kind })?.plural;
  const resource = plural === undefined ? undefined : registry.find(group, version, plural);
  return resource && typeOfServedKind(resource);
}
