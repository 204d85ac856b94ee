/** The third entry point of this package, for programs that change faults on a hub: it loads no server, hub or member code. */
export { changeFaults, runningMembers, untilInForce } from './faults/fault-objects.ts';
export { InvalidFaults, noFaults, parseFaults, printFaults, type MemberFaults } from './faults/member-faults.ts';
