/** Parses the types of the generated table, which the generator in `generate/` writes. */
import type { GoType, WellKnownForm } from './go-type.ts';
import { StructType, type Member, type StructText, type Union } from './struct-type.ts';

interface Scope {
  readonly named: (name: string) => GoType;
}

interface NamedText {
  readonly name: string;
  readonly goName: string;
  readonly modelName: string;
  readonly apiVersion: string | undefined;
  readonly isKind: boolean;
  readonly text: string;
}

/** `!time`, `=string A|B`, `=[]string message`, or the fields of a struct. */
export function namedType({ text, ...identity }: NamedText, scope: Scope): GoType {
  const { name, goName, modelName } = identity;
  if (text.startsWith('!')) {
    return { kind: 'well-known', goName, name, modelName, form: text.slice(1) as WellKnownForm };
  }
  if (!text.startsWith('=')) return new StructType(identity, () => structText(text, scope));
  const [typeText, rest] = cut(text.slice(1), ' ');
  const type = typeFrom(typeText, scope);
  if (type.kind === 'list') return { ...type, goName, isMessage: rest === 'message' };
  if (type.kind === 'string' && rest !== undefined) return { ...type, goName, enumValues: rest.split('|') };
  if (type.kind === 'string' || type.kind === 'map' || type.kind === 'bytes') return { ...type, goName };
  throw new Error(`unknown form of a type in the field table: ${name} ${text}`);
}

/** A type in Go's syntax: `*string`, `[]Container`, `map[string]meta/v1.Time`. */
function typeFrom(text: string, scope: Scope): GoType {
  if (text.startsWith('*')) {
    const element = typeFrom(text.slice(1), scope);
    return { kind: 'pointer', goName: `*${element.goName}`, element };
  }
  if (text === '[]uint8') return { kind: 'bytes', goName: text };
  if (text.startsWith('[]')) {
    const element = typeFrom(text.slice(2), scope);
    return { kind: 'list', goName: `[]${element.goName}`, element, isMessage: false };
  }
  if (text.startsWith('map[')) {
    const [keyText, valueText] = cut(text.slice('map['.length), ']');
    const value = typeFrom(valueText ?? '', scope);
    return { kind: 'map', goName: `map[${typeFrom(keyText, scope).goName}]${value.goName}`, value };
  }
  switch (text) {
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return { kind: text, goName: text };
    case 'any':
      return { kind: 'any', goName: 'interface {}' };
    default:
      return scope.named(text);
  }
}

function structText(text: string, scope: Scope): StructText {
  const members = text === '' ? [] : text.split(';');
  const marks = members[0]?.startsWith('#') ? members.shift()?.slice(1).split(' ') : undefined;
  const mapType = marks?.find((mark) => !mark.startsWith('union='));
  const union = marks?.find((mark) => mark.startsWith('union='));
  return {
    members: members.map((member) => memberFrom(member, scope)),
    ...(mapType !== undefined && { mapType }),
    ...(union !== undefined && { union: unionFrom(union.slice('union='.length)) }),
  };
}

/** `type:localhostProfile=LocalhostProfile` */
function unionFrom(text: string): Union {
  const [discriminator, fields] = cut(text, ':');
  return { discriminator, fields: Object.fromEntries((fields ?? '').split(',').map((field) => field.split('='))) };
}

/** `name? 1 []Container list=map keys=name`, or `> 2 VolumeSource` */
function memberFrom(text: string, scope: Scope): Member {
  const [label = '', number = '0', typeText = '', ...marks] = text.split(' ');
  const type = typeFrom(typeText, scope);
  if (label === '>') {
    if (type.kind !== 'struct') throw new Error(`inlined type in the field table is not a struct: ${text}`);
    return { number: Number(number), type };
  }
  const name = label.replace(/[?~]+$/, '');
  const omitEmpty = label.includes('?');
  const mark = (word: string): string | undefined =>
    marks.find((candidate) => candidate.startsWith(`${word}=`))?.slice(word.length + 1);
  const listType = mark('list');
  const listMapKeys = mark('keys')?.split(',');
  const mapType = mark('map');
  const patchMergeKey = mark('key');
  const defaultText = mark('default');
  return {
    name,
    goName: mark('go') ?? usualGoName(name, type),
    goPath: name,
    number: Number(number),
    type,
    omitEmpty,
    omitZero: label.includes('~'),
    isRequired: omitEmpty ? marks.includes('required') : !marks.includes('optional'),
    patchStrategies: mark('patch')?.split(',') ?? [],
    ...(listType !== undefined && { listType }),
    ...(listMapKeys !== undefined && { listMapKeys }),
    ...(mapType !== undefined && { mapType }),
    ...(patchMergeKey !== undefined && { patchMergeKey }),
    ...(defaultText !== undefined && { default: JSON.parse(defaultText) as string | number | boolean }),
  };
}

/** The table marks fields that have another name in Go. */
function usualGoName(name: string, type: GoType): string {
  return name === 'metadata' && type.kind === 'struct' ? type.name : name.slice(0, 1).toUpperCase() + name.slice(1);
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
