//! Memory that the allocator holds although nothing uses it.
//!
//! glibc reuses freed memory and returns little of it to the system: after an edit that removes 300,000 units, two thirds of
//! the process's memory are free blocks between used ones. A request to trim returns their pages.

/// Returns unused pages of the allocator to the operating system. Has no effect on systems other than Linux with glibc.
pub(super) fn release_unused_pages() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: the function has no preconditions; it locks each arena of the allocator and changes only free memory.
        #[expect(unsafe_code, reason = "libc offers no safe function for it")]
        unsafe {
            libc::malloc_trim(0);
        }
    }
}
