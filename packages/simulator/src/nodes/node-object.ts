import { formatTime } from '@flotilla/kube';
import type { Condition, Node } from '../kinds.ts';

/** A node as a kubelet registers it. */
export function nodeObject(number: number, kubeletVersion: string, now: Date): Node {
  const name = `node-${number}`;
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: {},
    status: {
      capacity: { cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110' },
      allocatable: { cpu: '3900m', memory: '15Gi', 'ephemeral-storage': '90Gi', pods: '110' },
      conditions: conditions(formatTime(now)),
      addresses: [
        { type: 'InternalIP', address: `192.168.0.${number}` },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kernelVersion: '',
        osImage: 'Flotilla simulator',
        containerRuntimeVersion: '',
        kubeletVersion,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  };
}

function conditions(at: string): Condition[] {
  const times = { lastHeartbeatTime: at, lastTransitionTime: at };
  const pressures = [
    ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
    ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
    ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ];
  return [
    ...pressures.map(([type = '', reason = '', message = '']) => ({
      type,
      status: 'False',
      ...times,
      reason,
      message,
    })),
    { type: 'Ready', status: 'True', ...times, reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  ];
}
