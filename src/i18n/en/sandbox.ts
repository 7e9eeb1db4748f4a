// What is said about the sandbox of commands, in English.

export const englishSandbox = {
  title: "Sandbox",
  bubblewrap:
    "on (bubblewrap): commands see the workspace and the system, and have no network unless you allow it",
  seatbelt:
    "on (Seatbelt): commands see the workspace and the system, and have no network unless you allow it",
  off: "off (tools.exec.sandbox is off): allowed commands run with your rights",
  missing:
    "none: bwrap is not installed. Install the package bubblewrap, such as: sudo apt install bubblewrap",
  unsupported: "none on this system: allowed commands run with your rights",
  forbidden: (detail: string) => `none: bwrap is installed, but the system does not let it work (${detail})`,
  required: "No command runs without it (tools.exec.sandbox is required).",
};
