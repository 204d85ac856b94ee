/**
 * The differences between two definitions that clients can see. Descriptions, and the order of words in a set, do not
 * count.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceDefinition, DefinitionVersion } from '@flotilla/schema';

/** One line for each difference: path, value in the first, value in the second. */
export function differences(one: CustomResourceDefinition, other: CustomResourceDefinition): string[] {
  return [...differing(comparable(one), comparable(other), one.metadata.name ?? '')];
}

function comparable({ spec: { group, scope, names, conversion, versions } }: CustomResourceDefinition): object {
  return {
    group,
    scope,
    conversion: conversion?.strategy ?? 'None',
    names: { ...names, shortNames: sorted(names.shortNames), categories: sorted(names.categories) },
    versions: Object.fromEntries(versions.map((version) => [version.name, comparableVersion(version)])),
  };
}

function comparableVersion({ schema, additionalPrinterColumns = [], ...version }: DefinitionVersion): object {
  return {
    ...version,
    subresources: version.subresources ?? {},
    columns: additionalPrinterColumns.map(({ name, type, jsonPath, priority = 0 }) => ({
      name,
      type,
      jsonPath,
      priority,
    })),
    schema: withoutDescriptions(schema?.openAPIV3Schema, false),
  };
}

/** Fields may be called `description` too: keys of `properties` are names. */
function withoutDescriptions(value: unknown, isNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDescriptions(item, false));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isNames || key !== 'description');
  return Object.fromEntries(
    entries.map(([key, child]) => {
      if (!isNames && (key === 'required' || key === 'enum')) return [key, sorted(child as string[])];
      return [key, withoutDescriptions(child, !isNames && key === 'properties')];
    }),
  );
}

function sorted(words: readonly string[] = []): string[] {
  return [...words].sort();
}

function* differing(one: unknown, other: unknown, path: string): Generator<string> {
  if (isDeepStrictEqual(one, other)) return;
  if (isObject(one) && isObject(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    for (const key of keys) yield* differing(one[key], other[key], `${path}.${key}`);
  } else {
    yield `${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
