import { dns1123SubdomainProblems, invalid, notSupported, required, type FieldError } from '@flotilla/kube';
import { s, type Infer } from '@flotilla/schema';
import { ConfigurationError, readConfiguration, text, texts } from '../../configuration/read-configuration.ts';
import { auditLevels, type AuditLevel } from '../audit-level.ts';
import { auditStages } from '../audit-stage.ts';
import type { AuditPolicy } from './audit-policy.ts';

const groupResources = s.object('', { group: text(), resources: texts(), resourceNames: texts() });

const rule = s.object('', {
  level: s.withDefault(s.string<AuditLevel>(''), '' as AuditLevel),
  users: texts(),
  userGroups: texts(),
  verbs: texts(),
  resources: s.withDefault(s.list(groupResources, ''), []),
  namespaces: texts(),
  nonResourceURLs: texts(),
  omitStages: texts(),
  omitManagedFields: s.optional(s.boolean('')),
});

const policy = s.object('', {
  rules: s.withDefault(s.list(rule, ''), []),
  omitStages: texts(),
  omitManagedFields: s.withDefault(s.boolean(''), false),
});

type PolicyFile = Infer<typeof policy>;

/** Reads the content of `--audit-policy-file`. Throws a ConfigurationError. */
export function readAuditPolicy(content: string): AuditPolicy {
  const file = readConfiguration(content, {
    apiVersions: ['audit.k8s.io/v1'],
    kind: 'Policy',
    schema: policy,
    validate: policyErrors,
  });
  if (file.rules.length === 0) throw new ConfigurationError('loaded illegal policy with 0 rules');
  return file as unknown as AuditPolicy;
}

function policyErrors({ omitStages, rules }: PolicyFile): FieldError[] {
  return [...stageErrors(omitStages, 'omitStages'), ...rules.flatMap((each, at) => ruleErrors(each, `rules[${at}]`))];
}

function ruleErrors(each: PolicyFile['rules'][number], field: string): FieldError[] {
  const { level, nonResourceURLs, resources, namespaces, omitStages } = each;
  const urls = `${field}.nonResourceURLs`;
  return [
    ...levelErrors(level, `${field}.level`),
    ...nonResourceURLs.flatMap((url, at) => urlErrors(url, `${urls}[${at}]`)),
    ...resources.flatMap((some) => resourceErrors(some, `${field}.resources`)),
    ...stageErrors(omitStages, `${field}.omitStages`),
    ...(nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)
      ? [invalid(urls, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

function levelErrors(level: string, field: string): FieldError[] {
  if (level === '') return [required(field)];
  return (auditLevels as readonly string[]).includes(level) ? [] : [notSupported(field, level, auditLevels)];
}

function urlErrors(url: string, field: string): FieldError[] {
  if (url === '*') return [];
  const errors: FieldError[] = [];
  if (!url.startsWith('/')) errors.push(invalid(field, url, "non-resource URL rules must begin with a '/' character"));
  if (url.slice(0, -1).includes('*')) {
    errors.push(invalid(field, url, "non-resource URL wildcards '*' must be the final character of the rule"));
  }
  return errors;
}

function resourceErrors(
  { group, resources, resourceNames }: Infer<typeof groupResources>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const problems = group === '' || group === '*' ? [] : dns1123SubdomainProblems(group);
  if (problems.length > 0) errors.push(invalid(`${field}.group`, group, problems.join(',')));
  if (resourceNames.length > 0 && resources.length === 0) {
    errors.push(invalid(`${field}.resourceNames`, resourceNames, 'using resourceNames requires at least one resource'));
  }
  return errors;
}

function stageErrors(stages: readonly string[], field: string): FieldError[] {
  return stages.flatMap((stage, at) =>
    (auditStages as readonly string[]).includes(stage)
      ? []
      : [invalid(`${field}[${at}]`, stage, `allowed stages are ${auditStages.join(',')}`)],
  );
}
