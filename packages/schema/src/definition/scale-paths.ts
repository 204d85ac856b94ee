import { invalid, required, type FieldError } from '@flotilla/kube';
import type { DefinitionVersion, ScalePaths } from './custom-resource-definition.ts';
import { dotPathProblem } from './dot-path.ts';

export function validateSubresources(subresources: DefinitionVersion['subresources'], path: string): FieldError[] {
  return subresources?.scale === undefined ? [] : validateScale(subresources.scale, `${path}.scale`);
}

function validateScale(paths: ScalePaths, path: string): FieldError[] {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = paths;
  return [
    ...validatePath(specReplicasPath, ['.spec'], `${path}.specReplicasPath`),
    ...validatePath(statusReplicasPath, ['.status'], `${path}.statusReplicasPath`),
    ...(labelSelectorPath === ''
      ? []
      : validatePath(labelSelectorPath, ['.spec', '.status'], `${path}.labelSelectorPath`)),
  ];
}

function validatePath(value: string, roots: readonly string[], path: string): FieldError[] {
  if (value === '') return [required(path)];
  const problem = dotPathProblem(value) ?? rootProblem(value, roots);
  return problem === undefined ? [] : [invalid(path, value, problem)];
}

function rootProblem(value: string, roots: readonly string[]): string | undefined {
  if (roots.some((root) => value.startsWith(`${root}.`))) return undefined;
  return `should be a json path under ${roots.length === 1 ? '' : 'either '}${roots.join(' or ')}`;
}
