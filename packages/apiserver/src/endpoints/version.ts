import type { JsonObject } from '@flotilla/kube';

/** We are Kubernetes v1.36.4 to clients; the build metadata says who we really are. */
const kubernetesVersion = 'v1.36.4';

export const versionInfo: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: `${kubernetesVersion}+flotilla`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};
