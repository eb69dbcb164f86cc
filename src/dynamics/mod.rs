//! How bodies move: loads, integration, edges. Knows nothing of why they want to.
