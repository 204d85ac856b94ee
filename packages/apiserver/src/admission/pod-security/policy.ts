/** The Pod Security policy in the labels of a namespace. */
import { invalid, type FieldError } from '@flotilla/kube';

export type Level = 'privileged' | 'baseline' | 'restricted';

/** The minor version of Kubernetes whose rules apply; Infinity is the latest. */
export interface Standard {
  readonly level: Level;
  readonly minor: number;
}

export interface Policy {
  readonly enforce: Standard;
  readonly audit: Standard;
  readonly warn: Standard;
}

const levels: readonly string[] = ['privileged', 'baseline', 'restricted'];
const latest = Number.POSITIVE_INFINITY;

const privilegedStandard: Standard = { level: 'privileged', minor: latest };
const privilegedPolicy: Policy = { enforce: privilegedStandard, audit: privilegedStandard, warn: privilegedStandard };

const prefix = 'pod-security.kubernetes.io/';

type Labels = Readonly<Record<string, string>>;

/** Invalid labels count as the strictest level for enforcement, and as privileged elsewhere. */
export function policyOf(labels: Labels | undefined): { readonly policy: Policy; readonly errors: FieldError[] } {
  const errors: FieldError[] = [];
  if (labels === undefined) return { policy: privilegedPolicy, errors };
  const enforce = standardOf(labels, 'enforce', errors, 'restricted');
  const audit = standardOf(labels, 'audit', errors, 'privileged');
  const warn = standardOf(labels, 'warn', errors, 'privileged');
  return { policy: { enforce, audit, warn: impliedWarning(labels, enforce, warn) }, errors };
}

function standardOf(labels: Labels, mode: keyof Policy, errors: FieldError[], instead: Level): Standard {
  const level = labelOf(labels, mode);
  const version = labelOf(labels, `${mode}-version`);
  const isLevel = level === undefined || isKnown(level);
  if (!isLevel) errors.push(invalidLabel(mode, level, `must be one of ${levels.join(', ')}`));
  const minor = version === undefined ? latest : minorOf(version);
  if (minor === undefined) errors.push(invalidLabel(`${mode}-version`, version ?? '', 'must be "latest" or "v1.x"'));
  return { level: isLevel ? (level ?? 'privileged') : instead, minor: minor ?? latest };
}

/** Workloads get warnings for the enforced level by default, because enforcement does not apply to pod templates. */
function impliedWarning(labels: Labels, enforce: Standard, warn: Standard): Standard {
  const hasEnforceLevel = isKnown(labelOf(labels, 'enforce') ?? '');
  if (!hasEnforceLevel || labelOf(labels, 'warn') !== undefined || !isStricter(enforce.level, warn.level)) return warn;
  const hasVersion = labelOf(labels, 'warn-version') !== undefined;
  return { level: enforce.level, minor: hasVersion ? warn.minor : enforce.minor };
}

function labelOf(labels: Labels, name: string): string | undefined {
  return Object.hasOwn(labels, prefix + name) ? labels[prefix + name] : undefined;
}

function isKnown(level: string): level is Level {
  return levels.includes(level);
}

function minorOf(version: string): number | undefined {
  if (version === 'latest') return latest;
  const digits = /^v1\.(\d|[1-9]\d*)$/.exec(version)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function invalidLabel(name: string, value: string, why: string): FieldError {
  return invalid(`metadata.labels[${prefix}${name}]`, value, why);
}

export function isStricter(level: Level, other: Level): boolean {
  return levels.indexOf(level) > levels.indexOf(other);
}

export function isSame(one: Standard, other: Standard): boolean {
  return one.level === other.level && one.minor === other.minor;
}

export function formatStandard({ level, minor }: Standard): string {
  return `${level}:${minor === latest ? 'latest' : `v1.${minor}`}`;
}
