export { kubeconfigText, mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
export { startServer, type RunningServer, type StartServerOptions } from './start-server.ts';
