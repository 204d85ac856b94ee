import { compareBytes, qualifiedNameProblems, quote, standardFinalizers, type KubeObject } from '@flotilla/kube';

/** Finalizers that a write brings and that somebody else might mean another thing by. */
export function finalizerWarnings({ metadata }: KubeObject, old: KubeObject | undefined): string[] {
  if (!metadata.finalizers) return [];
  const before = new Set(old?.metadata.finalizers);
  const added = new Set(metadata.finalizers.filter((name) => !before.has(name)));
  return [...added]
    .sort(compareBytes)
    .flatMap((name) => warningsFor(name).map((text) => `metadata.finalizers: ${quote(name)}: ${text}`));
}

function warningsFor(name: string): string[] {
  const problems = qualifiedNameProblems(name);
  if (name.includes('/') || standardFinalizers.has(name)) return [...problems];
  const how = name.includes('.') ? ' including a path (/)' : '';
  const advice = `prefer a domain-qualified finalizer name${how} to avoid accidental conflicts with other finalizer writers`;
  return [...problems, advice];
}
