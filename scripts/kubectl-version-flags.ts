import { readFileSync } from 'node:fs';

/** Linker flags for a kubectl of the version that a go.mod pins: v0.36.4 is Kubernetes v1.36.4. Released binaries set the same variables. */
export function kubectlVersionFlags(moduleFile: string): string {
  const [, minor, patch] = /k8s\.io\/kubectl v0\.(\d+)\.(\d+)/.exec(readFileSync(moduleFile, 'utf8')) ?? [];
  if (minor === undefined) throw new Error(`${moduleFile} does not pin k8s.io/kubectl`);
  const variables = {
    'k8s.io/component-base/version.gitMajor': '1',
    'k8s.io/component-base/version.gitMinor': minor,
    'k8s.io/component-base/version.gitVersion': `v1.${minor}.${patch}`,
    'k8s.io/client-go/pkg/version.gitVersion': `v1.${minor}.${patch}`,
  };
  return ['-s -w', ...Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`)].join(' ');
}
