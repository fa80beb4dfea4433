// Vite takes style sheets out of the script; TypeScript need not know what is in them.
declare module '*.css';
