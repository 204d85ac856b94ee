import type { Kubelets } from '@flotilla/apiserver';

const sentence = 'this pod is simulated by Flotilla: it has no containers';

/** The nodes of simulated clusters have no machines behind them. */
export const simulatedKubelets: Kubelets = {
  log: `${sentence}, and so it has no log\n`,
  refusal: `${sentence} to run commands in or to connect to`,
};
