import type { DiscoveredKind } from '@flotilla/client';
import { qualified } from '@flotilla/kube';
import { UserError } from '../user-error.ts';

/** Kinds and objects as a user names them: `pods`, `deploy/web`, `crp,memberclusters`. */
export interface NamedObjects {
  readonly kind: DiscoveredKind;
  /** Undefined: all objects. */
  readonly names: readonly string[] | undefined;
}

/** What the arguments of a command mean on a server with these kinds, in kubectl's notations. */
export function namedObjects(args: readonly string[], kinds: readonly DiscoveredKind[]): NamedObjects[] {
  const [first, ...names] = args;
  if (first === undefined) throw new UserError('name a kind, for instance memberclusters.');
  if (args.some((arg) => arg.includes('/'))) return args.map((arg) => namedObject(arg, kinds));
  const found = first.split(',').flatMap((text) => kindsNamed(text, kinds));
  return found.map((kind) => ({ kind, names: names.length === 0 ? undefined : names }));
}

/** `deploy/web`. */
function namedObject(arg: string, kinds: readonly DiscoveredKind[]): NamedObjects {
  const [text = '', name = '', ...rest] = arg.split('/');
  if (text === '' || name === '' || rest.length > 0) {
    throw new UserError(`${arg}: write KIND/NAME for every object, or KIND NAME...`);
  }
  const [kind, ...others] = kindsNamed(text, kinds);
  if (kind === undefined || others.length > 0) throw new UserError(`${text} stands for several kinds; name one.`);
  return { kind, names: [name] };
}

/** The kind of that name, or all kinds of that category. */
function kindsNamed(text: string, kinds: readonly DiscoveredKind[]): DiscoveredKind[] {
  const wanted = text.toLowerCase();
  const kind = kinds.find((candidate) => namesOf(candidate).includes(wanted));
  if (kind !== undefined) return [kind];
  const category = kinds.filter(({ categories, verbs }) => categories.includes(wanted) && verbs.includes('list'));
  // Each kind once, in its preferred version.
  const byResource = new Map(category.toReversed().map((one) => [resourceText(one), one]));
  if (byResource.size > 0) return [...byResource.values()].toReversed();
  throw new UserError(`the server has no kind ${text}.`);
}

/** Every way to name a kind, in lower case. */
function namesOf({ kind, plural, singular, shortNames, group, version }: DiscoveredKind): string[] {
  const names = [plural, singular, kind.toLowerCase(), ...shortNames].filter((name) => name !== '');
  return names.flatMap((name) => [name, `${name}.${group}`, `${name}.${version}.${group}`]);
}

/** `deployments.apps`. */
function resourceText({ plural, group }: DiscoveredKind): string {
  return qualified(plural, group);
}

/** `deployment.apps/web`, as kubectl reports it. */
export function objectText({ kind, group }: Pick<DiscoveredKind, 'kind' | 'group'>, name: string): string {
  return `${qualified(kind.toLowerCase(), group)}/${name}`;
}
