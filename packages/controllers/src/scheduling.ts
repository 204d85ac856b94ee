/** What the stage `scheduling` asks the scheduler, for programs that ask the same without a hub: `flotilla why`. */
export { candidateClusters, candidateSource } from './scheduling/candidate-clusters.ts';
export { latestPolicyOf } from './scheduling/latest-policy.ts';
export { schedulingRequest } from './scheduling/scheduling-request.ts';
